//! x
use masthead_documents::math::tex_to_mathml;
#[test]
fn scratch() {
    for line in std::fs::read_to_string("/tmp/tex/list.txt").unwrap().lines() {
        match std::panic::catch_unwind(|| tex_to_mathml(line, true)) {
            Ok(Ok(m)) => println!("ok   {line}   {}", if std::env::var_os("SHOW").is_some() {m} else {String::new()}),
            Ok(Err(e)) => println!("FAIL {line}   {}", e.to_string().replace('\n'," ")),
            Err(_) => println!("PANIC {line}"),
        }
    }
}
