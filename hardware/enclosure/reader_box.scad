// One reader under the board, at a club place, and the feet that raise the board to the same height.
//   openscad -o foot.stl -D 'part="foot"' reader_box.scad
include <common.scad>

part = "assembly"; // box, foot, assembly

ear = 10; // for tape or a screw, on both sides
foot_size = 34;

width = reader_width + reader_fit + 2 * wall + 4;
length = reader_length + reader_fit + 2 * wall + 4;
antenna_y = wall + 2 + reader_fit / 2 + antenna_from_end;

// The board lies right on top: no lid, so that no millimetre of the range is lost.
module box() {
    difference() {
        union() {
            cube([width, length, base_height]);
            translate([-ear, length / 2 - ear, 0]) cube([width + 2 * ear, 2 * ear, floor_thickness]);
        }
        translate([wall, wall, floor_thickness]) cube([width - 2 * wall, length - 2 * wall, base_height]);
        for (x = [-ear / 2, width + ear / 2]) translate([x, length / 2, -1]) cylinder(d = screw_clear, h = 10);
        translate([width / 2 - 8, length - wall - 1, floor_thickness + 1]) cube([16, wall + 2, 6]); // seven wires
    }
    translate([width / 2, antenna_y, 0]) reader_corners();
}

module foot() {
    difference() {
        cube([foot_size, foot_size, base_height]);
        translate([wall, wall, -1]) cube([foot_size - 2 * wall, foot_size - 2 * wall, base_height + 1 - floor_thickness]);
    }
}

if (part == "box") box();
else if (part == "foot") translate([0, foot_size, base_height]) rotate([180, 0, 0]) foot();
else {
    color("SandyBrown") box();
    color("SteelBlue") translate([(width - reader_width) / 2, antenna_y - antenna_from_end, floor_thickness + under_reader + 15]) cube([reader_width, reader_length, reader_pcb]);
    color("Tan") translate([width + 30, 10, 0]) foot();
}
