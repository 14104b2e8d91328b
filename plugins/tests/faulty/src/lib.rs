//! A plugin that fails in the way its setting `fault` says: the host's tests watch what the page makes of it.
//! It behaves during the host's trial call (no links, empty route), unless the fault begins with `trial-`.

use masthead_plugin::{
    Access, AccessRequest, Context, Contribution, Layout, Link, Links, Permissions, log, register, settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    fault: String,
}

struct Faulty;

fn recurse(depth: u64) -> u64 {
    let kept = std::hint::black_box([depth; 64]);
    if kept[0] == u64::MAX {
        return 0;
    }
    recurse(depth + 1) + kept[(depth % 64) as usize]
}

/// Keeps nothing in memory: the call stack itself has to run out.
fn recurse_lean(depth: u64) -> u64 {
    if std::hint::black_box(depth) == u64::MAX { 0 } else { recurse_lean(depth + 1) + 1 }
}

fn memory_bomb() -> ! {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        // Not written to: it is to run out of memory, not of time.
        kept.push(Vec::with_capacity(1 << 20));
        std::hint::black_box(&kept);
    }
}

fn fail(fault: &str) {
    match fault {
        "trap" | "trial-trap" => panic!("on purpose"),
        "loop" | "trial-loop" => loop {
            std::hint::black_box(());
        },
        "memory" => memory_bomb(),
        "recursion" => drop(std::hint::black_box(recurse(0))),
        "recursion-lean" => drop(std::hint::black_box(recurse_lean(0))),
        "log-flood" => (0..300).for_each(|line| log::info!("line {line}: {}", "x".repeat(1_000))),
        _ => {}
    }
}

fn bad_links(fault: &str, mut links: Vec<Link>) -> Vec<Link> {
    match fault {
        "output" => links[0].path = "x".repeat(8 << 20),
        "many" => links = (0..100).map(|_| links[0].clone()).collect(),
        "fewer" => links.clear(),
        "scheme" => links[0].path = "javascript:alert(1)".to_owned(),
        "absolute" => links[0].path = "//evil.example/".to_owned(),
        "dots" => links[0].path = "article/../../admin".to_owned(),
        "control" => links[0].query.push(("a".to_owned(), "b\r\nSet-Cookie: x".to_owned())),
        "good" | "log-flood" => links.iter_mut().for_each(|link| link.path.push_str("/ok")),
        _ => {}
    }
    links
}

impl Links for Faulty {
    fn rewrite(_: &Context, links: Vec<Link>) -> Result<Vec<Link>, String> {
        let Settings { fault } = settings()?;
        if links.is_empty() {
            if fault.starts_with("trial-") {
                fail(&fault);
            }
            return Ok(links);
        }
        // Fails only for a link that asks for it, so that a test can see the quarantine end.
        if fault == "when-asked" {
            return if links[0].path == "fail" { panic!("asked to") } else { Ok(bad_links("good", links)) };
        }
        if fault == "refuse" {
            return Err("not today".to_owned());
        }
        fail(&fault);
        Ok(bad_links(&fault, links))
    }
}

impl Access for Faulty {
    fn decide(context: &Context, request: AccessRequest) -> Result<Permissions, String> {
        let Settings { fault } = settings()?;
        if !context.route.is_empty() {
            fail(&fault);
        }
        Ok(Permissions { visit_power: !request.permissions.visit_power, ..request.permissions })
    }
}

impl Layout for Faulty {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        let Settings { fault } = settings()?;
        if context.route.is_empty() {
            return Ok(Vec::new());
        }
        fail(&fault);
        let one = |slot: &str, module: &str, props: &str| Contribution {
            slot: slot.into(),
            module: module.into(),
            props: props.into(),
        };
        Ok(match fault.as_str() {
            "not-json" => vec![one("footer.rows", "faulty", "{")],
            "not-object" => vec![one("footer.rows", "faulty", "[1]")],
            "big-props" => vec![one("footer.rows", "faulty", &format!("{{\"a\":\"{}\"}}", "x".repeat(100_000)))],
            "unlisted" => vec![one("footer.rows", "somebody-elses", "{}")],
            "bad-slot" => vec![one("<script>", "faulty", "{}")],
            "crowd" => (0..1000).map(|_| one("footer.rows", "faulty", "{}")).collect(),
            _ => vec![one("footer.rows", "faulty", "{}")],
        })
    }
}

register!(Faulty: Links, Access, Layout);
