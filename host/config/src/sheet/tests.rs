use super::{LONGEST, fault, scoped};

fn written(css: &str) -> String {
    scoped(css).unwrap_or_else(|fault| unreachable!("{css}: {fault}")).replace('\n', "")
}

#[test]
fn valid_sheets_are_accepted() {
    for css in [
        "",
        "/* nothing */",
        "a { color: red }",
        "@media (max-width: 40em) { .x::before { content: \"\\201C\"; background: url(/assets/sites/a.png) } }",
        ".y { background: url( 'data:image/svg+xml;base64,AA' ) }",
        "html { scroll-behavior: smooth } /* { a comment } */",
        "@font-face { font-family: x; src: url(data:image/x); unicode-range: U+4E00-9FFF }",
        "@supports (display: grid) and (not (display: inline-grid)) { a { display: grid } }",
        ".a { --gap: calc(1rem + var(--s-1, 2px)); margin: var(--gap) !important }",
    ] {
        assert_eq!(fault(css), None, "{css}");
    }
}

#[test]
fn selectors_are_limited_to_the_root_of_the_site() {
    let inside = ":where(#app, #app *)";
    for (css, expected) in [
        (".frame-footer{color:red}", format!(".frame-footer{inside}{{color:red;}}")),
        ("a:hover, .b > c{top:0}", format!("a:hover{inside},.b > c{inside}{{top:0;}}")),
        ("html[data-theme=dark] .x{top:0}", format!("html[data-theme=dark] .x{inside}{{top:0;}}")),
        ("p::first-line{top:0}", format!("p{inside}::first-line{{top:0;}}")),
        ("p:before{top:0}", format!("p{inside}:before{{top:0;}}")),
        (".x ::after{top:0}", format!(".x {inside}::after{{top:0;}}")),
        (":is(.a, .b):not(:hover){top:0}", format!(":is(.a, .b):not(:hover){inside}{{top:0;}}")),
        (".\\37 20p .x{top:0}", format!(".\\37 20p .x{inside}{{top:0;}}")),
        ("*{top:0}", format!("*{inside}{{top:0;}}")),
        (".html{top:0}", format!(".html{inside}{{top:0;}}")),
        (".x /* why */ /* and why */ {top:0}", format!(".x{inside}{{top:0;}}")),
        (".x/**/, /**/ .y > /**/ b{top:0}", format!(".x{inside},.y > /**/ b{inside}{{top:0;}}")),
    ] {
        assert_eq!(written(css), expected);
    }
    for (css, expected) in [
        (":root{--link:#123}", ":root :where(#app){--link:#123;}"),
        ("HTML, body.page-home{top:0}", "HTML :where(#app),body.page-home :where(#app){top:0;}"),
        ("body::before{top:0}", "body :where(#app)::before{top:0;}"),
        ("h\\74ml{top:0}", "h\\74ml :where(#app){top:0;}"),
    ] {
        assert_eq!(written(css), expected);
    }
    let grouped = "@media print{@supports (top:0){a{top:0}}}@keyframes k{from{top:0}50%,to{top:1px}}";
    assert_eq!(
        written(grouped),
        format!(
            "@media print{{@supports (top:0){{a{inside}{{top:0;}}}}}}@keyframes k{{from{{top:0;}}50%,to{{top:1px;}}}}"
        )
    );
}

#[test]
fn external_resources_and_markup_are_refused() {
    for css in [
        "@import 'https://evil.example/x.css';",
        "@IMPORT url(/x.css);",
        "@\\69mport '/x.css';",
        "@charset \"utf-7\";",
        "@namespace url(http://evil.example/);",
        "@media print { @import '/x.css'; }",
        "a::before { content: \"/*\" } b { background: url(//evil.example) } c::before { content: \"*/\" }",
        "a { background: url(https://evil.example/?a) }",
        "a { background: u\\72l(//evil.example) }",
        "a { background: u\\000072l('//evil.example') }",
        "a { background: URL(\"/rc-pub/front/x\") }",
        "a { background: url(\\2f\\2f evil.example) }",
        "a { background: url(/assets/sites/../../x) }",
        "a { background: url(/assets/sites/%2e%2e/x) }",
        "a { background: url(/assets/sites/..\\5c x) }",
        "a { background: url(\"/assets/sites/.\\9 ./x\") }",
        "a { background: url(/assets/sites/.\\a ./x) }",
        "a { background: url(/**/'//evil.example') }",
        "a { background: url('/assets/sites/a.png' '//evil.example') }",
        "a { background: url(data:text/html,x) }",
        "a { --x: url(//evil.example) }",
        "a { --x: [ ( url(//evil.example) ) ] }",
        "a { background: image-set(\"//evil.example/x.png\" 1x) }",
        "a { background: -webkit-image-set(url(/assets/sites/a.png) 1x) }",
        "a { background: image('//evil.example/x.png') }",
        "a { background: src(var(--x)) }",
        "@font-face { font-family: x; src: url(https://evil.example/x.woff2) }",
        "@media screen and (foo: url(//evil.example)) { a { top: 0 } }",
        "a[href=url(//evil.example)] { top: 0 }",
        "@document url(https://evil.example/) { a { top: 0 } }",
        "</style><script>alert(1)</script>",
        "<!-- a { top: 0 } -->",
        "a { color: \u{0}red }",
    ] {
        assert!(fault(css).is_some(), "{css}");
    }
}

#[test]
fn what_ran_scripts_in_old_browsers_is_refused() {
    for css in [
        "a { width: expression(alert(1)) }",
        "a { width: ex\\70 ression(alert(1)) }",
        "a { width: expr/**/ession(alert(1)); behavior: url(/assets/sites/x.htc) }",
        "a { BEHAVIOR: url(/assets/sites/x.htc) }",
        "a { -moz-binding: url(/assets/sites/x.xml#x) }",
        "a { background: url(javascript:alert(1)) }",
    ] {
        assert!(fault(css).is_some(), "{css}");
    }
}

#[test]
fn malformed_sheets_are_refused() {
    for css in [
        "a",
        "a { color }",
        "a { color: red } }",
        "{ color: red }",
        "a, { color: red }",
        "a > { color: red }",
        "& .b { color: red }",
        ".a { .b { color: red } }",
        ".a { color: { b: c } }",
        "a { color: \"red\n }",
        "a { color: ) }",
        "a { @media print { color: red } }",
        "@media print;",
        "@layer one, two;",
        "a { color: red\\",
        &"a{}".repeat(LONGEST / 3 + 1),
        &format!("a {{ width: {} }}", "(".repeat(30_000)),
        &format!("{} a {{}}", "@media print {".repeat(4_000)),
        &format!(":not{}", "(:not".repeat(10_000)),
    ] {
        assert!(fault(css).is_some(), "{}", css.chars().take(60).collect::<String>());
    }
}

#[test]
fn what_is_not_finished_ends_with_the_sheet() {
    assert_eq!(written("a { content: \"x"), "a:where(#app, #app *){content: \"x\";}");
    assert_eq!(written("a { color: red /* b"), "a:where(#app, #app *){color: red /**/;}");
    assert_eq!(written("a { width: calc(1px + (2px"), "a:where(#app, #app *){width: calc(1px + (2px));}");
    assert_eq!(
        written("a { background: url(/assets/sites/a.png"),
        "a:where(#app, #app *){background: url(/assets/sites/a.png);}"
    );
}

#[test]
fn what_is_written_is_valid_and_written_the_same_again() {
    for css in [
        "a { content: '\\201C\\\"' ; color: #fff; transition: color .2s,top 1e3ms } b+c{top:-0.5px}",
        "@container card (width > 20em) { .x { inset-inline-start: 10% } }",
        "html { --a: '</style>' }",
    ] {
        let once = written(css);
        let faults: Option<String> = fault(&once);
        assert_eq!(faults, None, "{once}");
    }
}

#[test]
fn faults_name_the_line_of_their_rule() {
    let message = fault("a { top: 0 }\n\nb { background: url(//evil.example) }").unwrap_or_default();
    assert!(message.contains("evil.example") && message.ends_with("ends in line 3)"), "{message}");
}
