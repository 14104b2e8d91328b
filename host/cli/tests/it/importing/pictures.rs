//! Pictures that are refused: the article is imported without them, and the report names them.

use super::{Desk, jats};

/// An SVG of 285 KB whose entities expand to more than 6 GB.
fn bomb() -> String {
    format!(
        "<?xml version='1.0'?>\n<!DOCTYPE svg [<!ENTITY x '{}'>]>\n<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'><text>{}</text></svg>",
        "x".repeat(150_000),
        "&x;".repeat(45_000)
    )
}

#[test]
fn an_article_is_imported_without_pictures_that_define_entities() {
    let desk = Desk::new("pictures");
    let figures: String =
        (1..=4).map(|number| format!("<fig id=\"f{number}\"><graphic xlink:href=\"f{number}.svg\"/></fig>")).collect();
    let article = jats("10.5555/picture.1", "Drawn", &figures);
    let wide: Vec<u8> = format!("\u{feff}{}", bomb()).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let large = format!("<svg xmlns='http://www.w3.org/2000/svg'><!--{}--></svg>", " ".repeat(16 << 20));
    // Matplotlib, Graphviz and Inkscape write this DOCTYPE.
    let drawn = b"<!DOCTYPE svg PUBLIC \"-//W3C//DTD SVG 1.1//EN\" \"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd\">\n<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>";
    for (name, bytes) in [
        ("a.xml", article.as_bytes()),
        ("f1.svg", bomb().as_bytes()),
        ("f2.svg", wide.as_slice()),
        ("f3.svg", large.as_bytes()),
        ("f4.svg", drawn.as_slice()),
    ] {
        desk.write(&format!("issue/{name}"), bytes);
    }
    for more in [&["--dry-run"][..], &[]] {
        let (report, all_good) = desk.import("auto", &[&desk.folder.join("issue")], more);
        assert!(all_good, "{report}");
        let warnings = report["items"][0]["warnings"].as_array().unwrap().iter().filter_map(|warning| warning.as_str());
        let warnings: Vec<&str> = warnings.filter(|warning| warning.contains("is refused")).collect();
        assert_eq!(warnings.len(), 3, "{warnings:#?}");
        for (warning, [name, place, cause]) in warnings.iter().zip([
            ["f1.svg", "line 2", "DTD"],
            ["f2.svg", "line 2", "DTD"],
            ["f3.svg", "16777216", "make it smaller"],
        ]) {
            assert!(warning.contains(name) && warning.contains(place) && warning.contains(cause), "{warning}");
        }
    }
    let stored = walkdir::WalkDir::new(desk.data().join("media")).into_iter().map(Result::unwrap);
    let files: Vec<_> = stored.filter(|entry| entry.file_type().is_file()).collect();
    assert_eq!(files.len(), 1, "the fourth picture alone is stored: {files:?}");
    assert_eq!(std::fs::read(files[0].path()).unwrap(), drawn);
}
