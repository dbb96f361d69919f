// Measures and shapes that tray, rail and box share. All lengths in mm, x to the right, y away from the player, z up.
// Included by the others; draws nothing by itself.

// The reader board, an "RC522" as sold everywhere. Makers drill their holes differently, so it is held by its corners.
reader_length = 60;
reader_width = 40;
reader_pcb = 1.6;
reader_fit = 0.5; // play around the board
antenna_from_end = 20; // middle of the antenna, from the end without pins
antenna_size = 38;

// Boxes
wall = 2.4;
floor_thickness = 2;
under_reader = 9; // room for parts, wires and angled pins under a board that lies with its parts down
reader_play = 0.4; // between board and lid
strip_depth = 34; // behind the readers: the strip board with the Pico, and the cables
lip_depth = 1.5; // the front wall reaches this far over the lid
lip_height = 1.6;
lid_fit = 0.3;
screw_hole = 2.5; // an M3 screw cuts its own thread
screw_clear = 3.4;
boss = 7;
cable_slot = 6;
joint_window = 24; // where cables pass from one half to the other
bed = 220; // what the printer can print

base_height = floor_thickness + under_reader + reader_pcb + reader_play;

$fa = 6;
$fs = 0.8;

// Four corners that carry a reader board. Origin: the middle of the antenna; the pins point to +y.
module reader_corners() {
    size = [reader_width + reader_fit, reader_length + reader_fit];
    post = 6;
    rim = 2;
    low = antenna_from_end + reader_fit / 2;
    translate([0, -low, 0]) difference() {
        for (x = [-size.x / 2 - rim, size.x / 2 + rim - post], y = [-rim, size.y + rim - post])
            translate([x, y, 0]) cube([post, post, base_height - reader_play]);
        translate([-size.x / 2, 0, floor_thickness + under_reader]) cube([size.x, size.y, base_height]);
    }
}

// A closed box without its top. Its front wall holds the lid under a lip, screws hold it behind.
module base(width, depth, screws) {
    difference() {
        cube([width, depth, base_height]);
        translate([wall, wall, floor_thickness]) cube([width - 2 * wall, depth - 2 * wall, base_height]);
    }
    for (x = screws) translate([x, depth - wall - boss / 2, 0]) difference() {
        union() {
            cylinder(d = boss, h = base_height);
            translate([-boss / 2, 0, 0]) cube([boss, boss / 2 + wall / 2, base_height]);
        }
        translate([0, 0, floor_thickness]) cylinder(d = screw_hole, h = base_height);
    }
}

// The lip along the front wall, as a profile that prints without support.
module lip(width, lid_thickness) {
    low = base_height + lid_thickness + lid_fit;
    rotate([90, 0, 90]) linear_extrude(width) polygon([
        [0, base_height - 0.01], [wall, base_height - 0.01], [wall, low],
        [wall + lip_depth, low + lip_depth * 0.6], [wall + lip_depth, low + lip_height], [0, low + lip_height],
    ]);
}

module lid_plate(width, depth, thickness, screws) {
    front = wall + lid_fit;
    difference() {
        translate([0, front, 0]) cube([width, depth - front, thickness]);
        for (x = screws) translate([x, depth - wall - boss / 2, -1]) {
            cylinder(d = screw_clear, h = thickness + 2);
        }
    }
}

// An open slot in the back wall: the cable is laid in from above, with its plug on.
module back_slot(x, depth) {
    translate([x - cable_slot / 2, depth - wall - 1, base_height - cable_slot]) cube([cable_slot, wall + 2, cable_slot + 1]);
}

// What joins two halves: bolts through both end walls, and a window for the cables.
module end_openings(x, depth) {
    translate([x - wall - 1, 0, 0]) {
        for (y = [depth * 0.16, depth * 0.55]) translate([0, y, base_height / 2]) rotate([0, 90, 0]) cylinder(d = screw_clear, h = 2 * wall + 2);
        translate([0, depth - wall - boss - 2 - joint_window, base_height - 8]) cube([2 * wall + 2, joint_window, 9]);
    }
}

// One to five raised dots, as on a die: no font needed, and a finger can read them.
module dots(number, height) {
    for (index = [0 : number - 1]) translate([(index - (number - 1) / 2) * 5, 0, 0]) cylinder(d = 3, h = height);
}
