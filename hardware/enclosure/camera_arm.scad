// The camera arm: a clamp for the table's edge, a leaning boom of four segments, a head that tilts, a plate for the Pi.
// The boom leans in over the board and looks down from its end; no elbow, so nothing can sag but the camera's own joint.
//   openscad -o clamp.stl -D 'part="clamp"' camera_arm.scad

part = "assembly"; // clamp, knob, pad, segment, joiner, head, camera_plate, pi_plate, assembly

// Table and clamp
table_max = 45; // thickness of the table's top
jaw_reach = 60;
jaw_height = 16;
spine = 18;
clamp_width = 36;
clamp_bolt = 8.5; // M8 x 80
clamp_nut = 13.3; // across flats
clamp_nut_depth = 7;
knob_diameter = 40;
knob_height = 12;

// Boom
lean = 60; // degrees above the table
tube = 24;
tube_wall = 2.6;
segment_length = 180;
segments = 4;
joint_length = 40; // of a joiner, in each of the two pieces it joins
joint_bolt = 15; // from the end of a piece
fit = 0.3; // play on every side
socket_length = 60;
socket_start = 12; // along the boom, from the point where its axis meets the table's edge
bolt = 4.4; // M4

// Head
fork_gap = 10;
fork_cheek = 5;
fork_reach = 22;
camera_hole_x = 21; // Camera Module 3, and 2 likewise
camera_hole_y = 12.5;
camera_hole = 2.2; // M2
camera_window = [14, 24];
camera_stand = 2;
plate_thickness = 3;
plate = [34, 31];
hinge = [12, 16]; // from the plate's edge to the bolt; diameter around it

// Pi
pi_hole_x = 58;
pi_hole_y = 49;
pi_hole = 2.7; // M2.5
pi_plate_size = [92, 62];
pi_stand = 4;
tie = [6, 2.5]; // cable tie

bed = 220;
$fa = 6;
$fs = 0.8;

inside = tube - 2 * tube_wall;
joiner_width = inside - 2 * fit;

assert(segment_length <= bed, "A segment does not fit the printer.");
assert(clamp_width >= tube + 2 * fit + 8, "The socket's side walls would be too thin.");

// Printed lying on its side, as it is drawn here: the load runs along the layers.
module clamp() {
    lower = -table_max - 5;
    direction = [cos(lean), sin(lean)];
    socket_outer = tube + 2 * fit + 10;
    difference() {
        linear_extrude(clamp_width) difference() {
            union() {
                polygon([
                    [-spine, jaw_height], [jaw_reach, jaw_height], [jaw_reach, 0], [0, 0], [0, lower],
                    [jaw_reach, lower], [jaw_reach, lower - jaw_height], [-spine, lower - jaw_height],
                ]);
                hull() { // the socket and its root
                    rotate(lean) translate([socket_start, -socket_outer / 2]) square([socket_length + 5, socket_outer]);
                    translate([-spine, 0]) square([spine + 34, jaw_height]);
                }
            }
            translate([0, lower]) square([jaw_reach + 1, -lower]); // the table itself stays free
        }
        translate([0, 0, clamp_width / 2]) rotate([0, 0, lean]) translate([socket_start + 5, 0, 0]) {
            translate([0, -tube / 2 - fit, -tube / 2 - fit]) cube([200, tube + 2 * fit, tube + 2 * fit]);
            for (at = [15, 45]) translate([at, 0, 0]) cylinder(d = bolt, h = 100, center = true);
        }
        translate([jaw_reach * 0.62, lower + 1, clamp_width / 2]) rotate([90, 0, 0]) {
            cylinder(d = clamp_bolt, h = jaw_height + 2);
            cylinder(d = clamp_nut / cos(30), h = clamp_nut_depth + 1, $fn = 6);
        }
    }
}

// Turns the M8 bolt by hand: its hexagon head sits in the knob.
module knob() {
    difference() {
        union() {
            cylinder(d = knob_diameter * 0.8, h = knob_height);
            for (turn = [0 : 60 : 300]) rotate(turn) translate([knob_diameter * 0.36, 0, 0]) cylinder(d = knob_diameter * 0.28, h = knob_height);
        }
        translate([0, 0, -1]) cylinder(d = clamp_bolt, h = knob_height + 2);
        translate([0, 0, knob_height - 6]) cylinder(d = clamp_nut / cos(30), h = 10, $fn = 6);
    }
}

// Between the bolt's end and the underside of the table.
module pad() {
    difference() {
        cylinder(d = 28, h = 9);
        translate([0, 0, 3]) cylinder(d = clamp_bolt, h = 10);
    }
}

module square_tube(outer, inner, length) {
    translate([0, -outer / 2, -outer / 2]) difference() {
        cube([length, outer, outer]);
        translate([-1, (outer - inner) / 2, (outer - inner) / 2]) cube([length + 2, inner, inner]);
    }
}

// All four are the same, lie flat on the printer and need no support. The lowest two holes fit the clamp as well.
module segment() {
    difference() {
        square_tube(tube, inside, segment_length);
        for (at = [joint_bolt, joint_bolt + 30, segment_length - joint_bolt]) translate([at, 0, 0]) cylinder(d = bolt, h = 100, center = true);
    }
}

module joiner() {
    difference() {
        square_tube(joiner_width, joiner_width - 2 * tube_wall - 2, 2 * joint_length);
        for (side = [-1, 1]) translate([joint_length + side * joint_bolt, 0, 0]) cylinder(d = bolt, h = 100, center = true);
    }
}

module head() {
    base_x = joint_length + 6;
    difference() {
        union() {
            translate([0, -tube / 2, -tube / 2]) cube([base_x, tube, tube]);
            for (side = [-1, 1]) hull() {
                translate([base_x - 1, -tube / 2, side * (fork_gap + fork_cheek) / 2 - fork_cheek / 2]) cube([1, tube, fork_cheek]);
                translate([base_x + fork_reach - 8, 0, side * (fork_gap + fork_cheek) / 2]) cylinder(d = hinge.y, h = fork_cheek, center = true);
            }
        }
        translate([-1, -inside / 2, -inside / 2]) cube([joint_length + 2, inside, inside]);
        for (at = [joint_bolt, base_x + fork_reach - 8]) translate([at, 0, 0]) cylinder(d = bolt, h = 100, center = true);
    }
}

// The camera lies on it with its lens down through the window; the ear goes between the fork's cheeks.
module camera_plate() {
    middle = [plate.x / 2, plate.y / 2];
    ear = fork_gap - 2 * fit;
    difference() {
        union() {
            cube([plate.x, plate.y, plate_thickness]);
            for (x = [-1, 1], y = [-1, 1]) translate([middle.x + x * camera_hole_x / 2, middle.y + y * camera_hole_y / 2, 0])
                cylinder(d = 5, h = plate_thickness + camera_stand);
            translate([middle.x - ear / 2, 0, 0]) hull() {
                translate([0, plate.y - 1, 0]) cube([ear, 1, plate_thickness]);
                translate([0, plate.y + hinge.x, hinge.y / 2]) rotate([0, 90, 0]) cylinder(d = hinge.y, h = ear);
            }
        }
        for (x = [-1, 1], y = [-1, 1]) translate([middle.x + x * camera_hole_x / 2, middle.y + y * camera_hole_y / 2, -1])
            cylinder(d = camera_hole, h = 20);
        translate([middle.x - camera_window.x / 2, middle.y - camera_window.y / 2, -1]) cube([camera_window.x, camera_window.y, 20]);
        translate([-1, plate.y + hinge.x, hinge.y / 2]) rotate([0, 90, 0]) cylinder(d = bolt, h = plate.x + 2);
    }
}

// Tied flat to the boom with two cable ties; keeps the camera's ribbon under 500 mm.
module pi_plate() {
    difference() {
        union() {
            cube([pi_plate_size.x, pi_plate_size.y, plate_thickness]);
            for (x = [0, 1], y = [0, 1]) translate([6 + x * pi_hole_x, (pi_plate_size.y - pi_hole_y) / 2 + y * pi_hole_y, 0])
                cylinder(d = 6, h = plate_thickness + pi_stand);
        }
        for (x = [0, 1], y = [0, 1]) translate([6 + x * pi_hole_x, (pi_plate_size.y - pi_hole_y) / 2 + y * pi_hole_y, -1])
            cylinder(d = pi_hole, h = 20);
        for (x = [18, 68], side = [-1, 1]) translate([x, pi_plate_size.y / 2 + side * (tube / 2 + 1 + tie.y / 2) - tie.y / 2, -1])
            cube([tie.x, tie.y, 20]);
    }
}

module assembly() {
    rotate([90, 0, 0]) {
        color("SandyBrown") clamp();
        color("Silver") translate([jaw_reach * 0.62, -table_max - jaw_height - 30, clamp_width / 2]) rotate([-90, 0, 0]) cylinder(d = 8, h = 60);
        color("Tan") translate([jaw_reach * 0.62, -table_max - jaw_height - 30, clamp_width / 2]) rotate([90, 0, 0]) knob();
        translate([0, 0, clamp_width / 2]) rotate([0, 0, lean]) translate([socket_start + 5, 0, 0]) {
            for (index = [0 : segments - 1]) color(index % 2 == 0 ? "LightYellow" : "Wheat") translate([index * segment_length, 0, 0]) segment();
            translate([segments * segment_length, 0, 0]) {
                color("SandyBrown") head();
                translate([joint_length + 6 + fork_reach - 8, 0, 0]) rotate([0, 0, -lean]) multmatrix([[0, -1, 0, 0], [0, 0, 1, 0], [-1, 0, 0, 0]])
                    color("Tan") translate([-plate.x / 2, -plate.y - hinge.x, -hinge.y / 2]) camera_plate();
            }
            color("SeaGreen") translate([240, tube / 2, -pi_plate_size.y / 2]) rotate([90, 0, 0]) mirror([0, 0, 1]) pi_plate();
        }
    }
}

if (part == "clamp") clamp();
else if (part == "knob") knob();
else if (part == "pad") pad();
else if (part == "segment") segment();
else if (part == "joiner") joiner();
else if (part == "head") head();
else if (part == "camera_plate") camera_plate();
else if (part == "pi_plate") pi_plate();
else assembly();
