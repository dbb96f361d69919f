// The tiki rail: six homes in a row along a long edge of the board, a reader under each, the Pico behind them.
// Two halves of three homes, together as long as the printed sheet is wide.
//   openscad -o lid.stl -D 'part="lid"' tiki_rail.scad
include <common.scad>

part = "assembly"; // base_left, base_right, lid, assembly

homes = 3; // in each half
home_pitch = 70; // middle to middle
tiki = 10; // side of its foot
tiki_play = 1.25; // on every side
tiki_sink = 1;
lid_thickness = 2.4;
ring = 22; // a raised ring around each home, to paint in the player's colour
ring_height = 0.8;
lift = 30;

width = homes * home_pitch;
reader_front = wall + lip_depth + 3;
home_y = reader_front + reader_width / 2;
depth = reader_front + reader_width + 3 + strip_depth + wall;
screw_xs = [wall + boss / 2, width / 3, 2 * width / 3, width - wall - boss / 2];

// The boards lie along the rail, so an antenna's middle is not the middle of its cell.
function home_x(index) = (index + 0.5) * home_pitch - (reader_length / 2 - antenna_from_end);

assert(width <= bed, "A half does not fit the printer.");
assert(home_pitch >= reader_length + reader_fit + 2 * wall + 4, "The boards would touch the end walls.");
assert(lid_thickness - tiki_sink >= 1.2, "Too little plastic is left under the tiki.");

module rail_base(joint_x, has_pico) {
    difference() {
        union() {
            base(width, depth, screw_xs);
            lip(width, lid_thickness);
            for (index = [0 : homes - 1]) translate([home_x(index), home_y, 0]) rotate(-90) reader_corners();
        }
        end_openings(joint_x, depth);
        if (has_pico) back_slot(home_pitch / 2, depth);
        else back_slot(width / 2, depth); // cables of the two readers under the board
    }
}

module base_left() { rail_base(width, true); }
module base_right() { rail_base(0, false); }

module lid() {
    side = tiki + 2 * tiki_play;
    difference() {
        union() {
            lid_plate(width, depth, lid_thickness, screw_xs);
            for (index = [0 : homes - 1]) translate([home_x(index), home_y, 0]) cylinder(d = ring, h = lid_thickness + ring_height);
        }
        for (index = [0 : homes - 1]) translate([home_x(index), home_y, lid_thickness - tiki_sink + 5])
            cube([side, side, 10], center = true);
    }
}

module assembly() {
    for (half = [0, 1]) translate([half * (width + 6), 0, 0]) {
        color(half == 0 ? "SandyBrown" : "Tan") if (half == 0) base_left(); else base_right();
        for (index = [0 : homes - 1]) translate([home_x(index) - antenna_from_end, home_y - reader_width / 2, floor_thickness + under_reader])
            color("SteelBlue") cube([reader_length, reader_width, reader_pcb]);
        translate([0, 0, base_height + lift]) {
            color(half == 0 ? "LightYellow" : "Ivory") lid();
            color("IndianRed") translate([home_x(1) - tiki / 2, home_y - tiki / 2, lid_thickness - tiki_sink]) cube([tiki, tiki, 22]);
        }
    }
    color("SeaGreen") translate([70, depth - wall - 30, floor_thickness + 2]) cube([110, 24, 1.6]);
}

if (part == "base_left") base_left();
else if (part == "base_right") base_right();
else if (part == "lid") lid();
else assembly();
