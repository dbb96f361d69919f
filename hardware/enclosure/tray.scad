// A card tray: five places side by side, a reader under each, the Pico in the strip behind them.
// Printed in two halves so that it fits a small printer: places 1 to 3 and places 4 and 5.
//   openscad -o lid_left.stl -D 'part="lid_left"' tray.scad
include <common.scad>

part = "assembly"; // base_left, base_right, lid_left, lid_right, assembly

card_width = 63;
card_length = 88;
card_play = 1; // on every side
sticker = 25;
place_pitch = 68; // middle to middle
end_margin = 4; // beyond the outer places of a half
lid_thickness = 1.6; // between antenna and card
guide_height = 2;
scoop_radius = 12; // where a finger gets under a card
lift = 30; // how far apart the assembly is drawn

places_left = 3;
places_right = 2;

guide_width = place_pitch - card_width - 2 * card_play;
card_front = wall + lip_depth + lid_fit;
card_middle = card_front + card_play + card_length / 2;
card_back = card_front + 2 * card_play + card_length;
depth = card_back + strip_depth + wall;

function half_width(places) = places * place_pitch + 2 * end_margin;
function place_x(index) = end_margin + (index + 0.5) * place_pitch;
function screws(places) = [for (index = [0 : places]) min(max(end_margin + index * place_pitch, wall + boss / 2), half_width(places) - wall - boss / 2)];

assert(guide_width >= 2, "The guides between the cards would be too thin: raise place_pitch.");
assert(place_pitch >= 65, "Places closer than 65 mm read each other's cards.");
assert(half_width(places_left) <= bed && depth <= bed, "A half does not fit the printer.");
assert(card_back - card_middle - antenna_size / 2 >= 20, "The Pico's copper must stay 20 mm from the antennas.");

module tray_base(places, joint_x, has_pico) {
    width = half_width(places);
    difference() {
        union() {
            base(width, depth, screws(places));
            lip(width, lid_thickness);
            for (index = [0 : places - 1]) translate([place_x(index), 0, 0]) {
                translate([0, card_middle, 0]) reader_corners();
                intersection() {
                    cylinder(r = scoop_radius + wall, h = base_height);
                    translate([-50, 0, 0]) cube([100, 50, 50]);
                }
            }
        }
        for (index = [0 : places - 1]) translate([place_x(index), -1, 0])
            translate([0, 1, floor_thickness + 2]) cylinder(r = scoop_radius, h = 40);
        end_openings(joint_x, depth);
        if (has_pico) back_slot(place_x(0), depth);
    }
}

module tray_lid(places, first) {
    width = half_width(places);
    difference() {
        lid_plate(width, depth, lid_thickness, screws(places));
        for (index = [0 : places - 1]) translate([place_x(index), 0, -1]) cylinder(r = scoop_radius, h = 10);
    }
    for (index = [0 : places]) {
        left = index == 0 ? 0 : end_margin + index * place_pitch - guide_width / 2;
        right = index == places ? width : end_margin + index * place_pitch + guide_width / 2;
        translate([left, card_front + 1, lid_thickness - 0.01]) cube([right - left, card_back - card_front - 1, guide_height]);
    }
    translate([0, card_back, lid_thickness - 0.01]) cube([width, 2, guide_height]);
    for (index = [0 : places - 1]) translate([place_x(index), card_back + 9, lid_thickness - 0.01]) dots(first + index, 0.8);
}

module base_left() { tray_base(places_left, half_width(places_left), true); }
module base_right() { tray_base(places_right, 0, false); }
module lid_left() { tray_lid(places_left, 1); }
module lid_right() { tray_lid(places_right, places_left + 1); }

// How it all goes together. Grey: what is bought.
module assembly() {
    color("SandyBrown") base_left();
    color("Tan") translate([half_width(places_left) + 6, 0, 0]) base_right();
    for (index = [0 : places_left - 1]) translate([place_x(index), card_middle, 0]) bought();
    for (index = [0 : places_right - 1]) translate([half_width(places_left) + 6 + place_x(index), card_middle, 0]) bought();
    color("DarkGreen") translate([72, card_back + 6, floor_thickness + 2]) cube([110, 24, 1.6]);
    color("SeaGreen") translate([76, card_back + 8, floor_thickness + 4]) cube([51, 21, 1]);
    color("#333") for (x = [136, 160]) translate([x, card_back + 14, floor_thickness + 4]) cube([19, 7, 4]);
    translate([0, 0, base_height + lift]) {
        color("LightYellow") lid_left();
        color("Ivory") translate([half_width(places_left) + 6, 0, 0]) lid_right();
        color("IndianRed") translate([place_x(1) - card_width / 2, card_middle - card_length / 2, 14]) cube([card_width, card_length, 0.5]);
        color("White") translate([place_x(1), card_middle, 14.5]) cylinder(d = sticker, h = 0.3);
    }
}

module bought() {
    color("SteelBlue") translate([-reader_width / 2, -antenna_from_end, floor_thickness + under_reader]) cube([reader_width, reader_length, reader_pcb]);
}

if (part == "base_left") base_left();
else if (part == "base_right") base_right();
else if (part == "lid_left") lid_left();
else if (part == "lid_right") lid_right();
else assembly();
