//! Draws the letters of a captcha: each one turned, sheared and shifted, the whole bent in waves, with lines and dots across.

use image::{ExtendedColorType, ImageEncoder as _, codecs::png::PngEncoder};
use rand::{RngExt as _, SeedableRng as _, rngs::StdRng};

use super::glyphs::{self, Point};

/// Width in pixels.
pub const WIDTH: u32 = 184;
/// Height in pixels.
pub const HEIGHT: u32 = 64;
/// Size of the unit of the letters' box, in pixels.
const UNIT: f32 = 5.6;
/// Space between the places of two letters.
const STEP: f32 = 34.0;
/// Greatest length of a part of a line that is drawn straight.
const PART: f32 = 2.0;

/// The picture of a text as PNG, the same for the same seed.
pub fn draw(text: &str, seed: [u8; 32]) -> Option<Vec<u8>> {
    let mut rng = StdRng::from_seed(seed);
    let mut paper = Paper::new(&mut rng);
    for (place, letter) in (0_u8..).zip(text.chars()) {
        let pose = Pose::new(&mut rng, f32::from(place));
        for stroke in glyphs::strokes(letter) {
            let points: Vec<Point> = stroke.iter().map(|point| pose.of(*point)).collect();
            paper.line(&points, rng.random_range(1.5..2.1));
        }
    }
    for _ in 0..3 {
        let mut y = || rng.random_range(6.0..58.0);
        let points = [(0.0, y()), (60.0, y()), (124.0, y()), (184.0, y())];
        paper.line(&points, 0.7);
    }
    for _ in 0..70 {
        let at = (rng.random_range(0.0..184.0), rng.random_range(0.0..64.0));
        paper.line(&[at, at], rng.random_range(0.4..1.1));
    }
    let mut png = Vec::new();
    let encoder = PngEncoder::new(&mut png);
    encoder.write_image(&paper.pixels, WIDTH, HEIGHT, ExtendedColorType::L8).ok()?;
    Some(png)
}

/// The position of a letter.
struct Pose {
    middle: Point,
    turn: f32,
    shear: f32,
    size: f32,
}

impl Pose {
    fn new(rng: &mut StdRng, place: f32) -> Self {
        Self {
            middle: (24.0 + place * STEP + rng.random_range(-3.0..3.0), 32.0 + rng.random_range(-5.0..5.0)),
            turn: rng.random_range(-0.35..0.35),
            shear: rng.random_range(-0.25..0.25),
            size: UNIT * rng.random_range(0.85..1.1),
        }
    }

    fn of(&self, (x, y): Point) -> Point {
        let (x, y) = ((x - 2.0) * self.size, (y - 3.0) * self.size);
        let x = x + y * self.shear;
        let (sine, cosine) = self.turn.sin_cos();
        (self.middle.0 + x * cosine - y * sine, self.middle.1 + x * sine + y * cosine)
    }
}

/// White paper, bent in waves.
struct Paper {
    pixels: Vec<u8>,
    /// Height, length and beginning of the waves.
    wave: (f32, f32, f32),
}

impl Paper {
    fn new(rng: &mut StdRng) -> Self {
        let wave = (rng.random_range(1.5..3.5), rng.random_range(0.06..0.11), rng.random_range(0.0..6.0));
        Self { pixels: vec![u8::MAX; (WIDTH * HEIGHT) as usize], wave }
    }

    fn bent(&self, (x, y): Point) -> Point {
        let (height, length, begin) = self.wave;
        (x + height * (y * length + begin).sin(), y + height * (x * length + begin).cos())
    }

    fn line(&mut self, points: &[Point], radius: f32) {
        for pair in points.windows(2) {
            let [from, to] = [pair[0], pair[1]];
            let length = (to.0 - from.0).hypot(to.1 - from.1);
            let parts = (length / PART).ceil().max(1.0);
            let at = |part: f32| (from.0 + (to.0 - from.0) * part / parts, from.1 + (to.1 - from.1) * part / parts);
            let mut part = 0.0;
            while part < parts {
                let ends = (self.bent(at(part)), self.bent(at(part + 1.0)));
                self.straight(ends, radius);
                part += 1.0;
            }
        }
    }

    /// Darkens every pixel by how much of it is within the line.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "clamped to the picture"
    )]
    fn straight(&mut self, (from, to): (Point, Point), radius: f32) {
        let range = |a: f32, b: f32, end: u32| {
            let reach = radius + 1.0;
            let clamped = |value: f32| value.clamp(0.0, end as f32) as u32;
            clamped(a.min(b) - reach)..clamped(a.max(b) + reach + 1.0)
        };
        for y in range(from.1, to.1, HEIGHT) {
            for x in range(from.0, to.0, WIDTH) {
                let distance = distance((x as f32 + 0.5, y as f32 + 0.5), from, to);
                let ink = ((radius + 0.5 - distance).clamp(0.0, 1.0) * 215.0) as u8;
                let pixel = &mut self.pixels[(y * WIDTH + x) as usize];
                *pixel = (*pixel).min(u8::MAX - ink);
            }
        }
    }
}

/// Distance of a point from a straight line between two others.
fn distance(point: Point, from: Point, to: Point) -> f32 {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let square = dx * dx + dy * dy;
    let along = if square == 0.0 { 0.0 } else { ((point.0 - from.0) * dx + (point.1 - from.1) * dy) / square };
    let along = along.clamp(0.0, 1.0);
    (point.0 - from.0 - dx * along).hypot(point.1 - from.1 - dy * along)
}
