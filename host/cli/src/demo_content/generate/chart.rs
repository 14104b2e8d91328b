//! Figures: small charts as SVG. All coordinates are integers, so that the bytes are the same on every machine.

use std::fmt::Write as _;

use crate::demo_content::generate::stream::Stream;

/// Labels and values of a chart.
pub struct Chart<'a> {
    /// Title.
    pub title: &'a str,
    /// Label of the vertical axis.
    pub vertical: &'a str,
    /// Label of the horizontal axis.
    pub horizontal: &'a str,
    /// Colours of the first and the second series.
    pub colours: (&'static str, &'static str),
    /// Mean of the first series, in tenths of the unit.
    pub middle: i64,
    /// Mean of the second series, in tenths of the unit.
    pub other: i64,
}

/// Type of a chart.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ChartType {
    /// Line chart of two series over time.
    Lines,
    /// Bar chart of values by site.
    Bars,
    /// Scatter plot of one quantity against another.
    Points,
}

const LEFT: i64 = 72;
const RIGHT: i64 = 616;
const TOP: i64 = 28;
const BOTTOM: i64 = 312;

impl Chart<'_> {
    /// Draws the chart as SVG.
    pub fn svg(&self, chart_type: ChartType, stream: &mut Stream) -> String {
        let top = (self.middle.max(self.other) * 3 / 2).max(10);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 376\" width=\"640\" height=\"376\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"640\" height=\"376\" fill=\"#ffffff\"/>\n",
            escape(self.title)
        );
        axis(&mut out, top);
        match chart_type {
            ChartType::Lines => self.lines(&mut out, top, stream),
            ChartType::Bars => self.bars(&mut out, top, stream),
            ChartType::Points => self.points(&mut out, top, stream),
        }
        let _ = write!(
            out,
            "<text x=\"344\" y=\"362\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" fill=\"#333333\">{}</text>\n\
             <text transform=\"translate(18 170) rotate(-90)\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\" fill=\"#333333\">{}</text>\n</svg>\n",
            escape(self.horizontal),
            escape(self.vertical)
        );
        out
    }

    fn lines(&self, out: &mut String, top: i64, stream: &mut Stream) {
        for (middle, colour) in [(self.middle, self.colours.0), (self.other, self.colours.1)] {
            let (mut value, mut points) = (middle, String::new());
            for step in 0..=24 {
                let _ = write!(points, "{},{} ", LEFT + step * (RIGHT - LEFT) / 24, height(value, top));
                let pull = (middle - value) / 4;
                let jolt = (middle / 9).max(1);
                value = (value + pull + stream.between(-jolt, jolt)).clamp(0, top);
            }
            let _ = writeln!(
                out,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                points.trim_end()
            );
        }
    }

    fn bars(&self, out: &mut String, top: i64, stream: &mut Stream) {
        let many = stream.between(5, 8);
        let wide = (RIGHT - LEFT) / many;
        for bar in 0..many {
            let middle = if bar % 2 == 0 { self.middle } else { self.other };
            let value = (middle + stream.between(-middle / 5, middle / 5)).clamp(1, top);
            let (x, y) = (LEFT + bar * wide + wide / 6, height(value, top));
            let colour = if bar % 2 == 0 { self.colours.0 } else { self.colours.1 };
            let spread = ((BOTTOM - y) / 8).max(3);
            let _ = writeln!(
                out,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{}\" fill=\"{colour}\"/><path d=\"M{} {}v{}\" stroke=\"#222222\"/>\
                 <text x=\"{}\" y=\"330\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\" fill=\"#333333\">{}</text>",
                wide * 2 / 3,
                BOTTOM - y,
                x + wide / 3,
                y - spread,
                spread * 2,
                x + wide / 3,
                bar + 1
            );
        }
    }

    fn points(&self, out: &mut String, top: i64, stream: &mut Stream) {
        for _ in 0..stream.between(40, 70) {
            let along = stream.between(0, 100);
            let middle = self.middle + (self.other - self.middle) * along / 100;
            let value = (middle + stream.between(-middle / 6, middle / 6)).clamp(0, top);
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"3\" fill=\"{}\" fill-opacity=\"0.7\"/>",
                LEFT + along * (RIGHT - LEFT) / 100,
                height(value, top),
                self.colours.0
            );
        }
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {}L{RIGHT} {}\" stroke=\"{}\" stroke-width=\"2\"/>",
            height(self.middle, top),
            height(self.other, top),
            self.colours.1
        );
    }
}

fn height(value: i64, top: i64) -> i64 {
    BOTTOM - value * (BOTTOM - TOP) / top
}

fn axis(out: &mut String, top: i64) {
    for step in 0..=4 {
        let value = top * step / 4;
        let y = height(value, top);
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {y}H{RIGHT}\" stroke=\"#dddddd\"/><text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"end\" fill=\"#333333\">{}.{}</text>",
            LEFT - 8,
            y + 4,
            value / 10,
            value % 10
        );
    }
    let _ = writeln!(out, "<path d=\"M{LEFT} {TOP}V{BOTTOM}H{RIGHT}\" fill=\"none\" stroke=\"#222222\"/>");
}

fn escape(text: &str) -> String {
    html_escape::encode_text(text).into_owned()
}
