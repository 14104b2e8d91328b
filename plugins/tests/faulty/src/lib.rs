//! A plugin for tests that causes the fault named in its setting `fault`; the tests check how the host handles it.
//! It causes no fault on the route `calm`, so that a test can see the circuit breaker close, and none in the host's trial call (empty
//! route), unless the name of the fault starts with `trial-`.

use masthead_plugin::{
    Access, AccessRequest, Context, Contribution, Event, Events, Layout, Link, Links, Permissions, Response,
    RouteRequest, Routes, Translate, TranslateFailure, TranslateRequest, Translation, content, http, kv, log, random,
    register, secrets, settings,
};
use serde::Deserialize;

#[derive(Deserialize)]
struct Settings {
    fault: String,
    address: String,
}

struct Faulty;

fn recurse(depth: u64) -> u64 {
    let kept = std::hint::black_box([depth; 64]);
    if kept[0] == u64::MAX {
        return 0;
    }
    recurse(depth + 1) + kept[(depth % 64) as usize]
}

/// Recurses without using linear memory, so that the call stack is exhausted first.
fn recurse_lean(depth: u64) -> u64 {
    if std::hint::black_box(depth) == u64::MAX { 0 } else { recurse_lean(depth + 1) + 1 }
}

/// Allocates all memory. The memory is not written to, so that the plugin runs out of memory before it runs out of time.
fn fill_memory() -> Vec<Vec<u8>> {
    let mut kept = Vec::new();
    loop {
        let mut more = Vec::new();
        if more.try_reserve_exact(1 << 20).is_err() {
            return kept;
        }
        kept.push(std::hint::black_box(more));
    }
}

fn memory_bomb() -> ! {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        kept.push(Vec::with_capacity(1 << 20));
        std::hint::black_box(&kept);
    }
}

/// Fills the memory so far that the result of a host call does not fit.
fn answer_without_room() -> Result<(), String> {
    kv::set("large", vec![7; 60_000])?;
    let mut kept = fill_memory();
    while kept.last().is_some() {
        let mut more = Vec::new();
        if more.try_reserve_exact(1 << 10).is_err() {
            break;
        }
        kept.push(more);
    }
    std::hint::black_box(kv::get("large")?);
    std::hint::black_box(kept);
    Ok(())
}

fn fill_kv() -> Result<(), String> {
    for number in 0_u32.. {
        kv::set(&format!("flood-{number}"), vec![1; 32 << 10])?;
    }
    Ok(())
}

/// Causes the configured fault. Returns its name if the plugin survives it.
fn fail(context: &Context) -> Result<String, String> {
    let Settings { fault, address } = settings()?;
    let trial = context.route.is_empty();
    if (trial && !fault.starts_with("trial-")) || context.route == "calm" {
        return Ok("none".to_owned());
    }
    match fault.as_str() {
        "trap" | "trial-trap" => panic!("on purpose"),
        "loop" | "trial-loop" => loop {
            std::hint::black_box(());
        },
        "loop-log" => loop {
            log::info!("again");
        },
        "loop-random" => loop {
            std::hint::black_box(random::bytes(0));
        },
        "loop-kv" => loop {
            std::hint::black_box(kv::get("a").is_ok());
        },
        "loop-settings" => loop {
            std::hint::black_box(settings::<Settings>().is_ok());
        },
        "memory" => memory_bomb(),
        "recursion" => drop(std::hint::black_box(recurse(0))),
        "recursion-lean" => drop(std::hint::black_box(recurse_lean(0))),
        "log-flood" => (0..300).for_each(|line| log::info!("line {line}: {}", "x".repeat(1_000))),
        "log-forged" => log::info!("a\nERROR forged\r\n\u{1b}[31m"),
        "flood-host" => log::info!("{}", "x".repeat(4 << 20)),
        "random-flood" => drop(std::hint::black_box(random::bytes(u32::MAX))),
        "random-drip" => (0..100).for_each(|_| drop(std::hint::black_box(random::bytes(1_024)))),
        "kv-flood" => fill_kv()?,
        "kv-value" => kv::set("a", vec![0; 100_000])?,
        "kv-key" => kv::set(&"k".repeat(1_000), "v")?,
        "kv-hang" => drop(kv::get("hang")?),
        "kv-broken" => drop(kv::get("broken")?),
        "room" => answer_without_room()?,
        "http" => drop(http::get(&address).send()?),
        "http-many" => {
            for _ in 0..20 {
                http::get(&address).send()?;
            }
        }
        "http-large" => drop(http::post(&address).body(vec![0; 300 << 10]).send()?),
        // Also in the trial call, so that a test can count the trial calls.
        "trial-counted" => drop(random::bytes(1)),
        "act" => {
            kv::set("acted", "yes")?;
            drop(http::get(&address).send());
        }
        "content" => drop(content::latest(5)?),
        "secret" => drop(secrets::sign("key", "data")?),
        "refuse" => return Err("not today".to_owned()),
        _ => {}
    }
    Ok(fault)
}

impl Links for Faulty {
    fn rewrite(context: &Context, mut links: Vec<Link>) -> Result<Vec<Link>, String> {
        let fault = fail(context)?;
        if links.is_empty() {
            return Ok(links);
        }
        match fault.as_str() {
            // Fails only for links with the path `fail`.
            "when-asked" if links[0].path == "fail" => panic!("asked to"),
            "when-asked" | "good" => links.iter_mut().for_each(|link| link.path.push_str("/ok")),
            "output" => links[0].path = "x".repeat(8 << 20),
            "many" => links = (0..100).map(|_| links[0].clone()).collect(),
            "fewer" => links.clear(),
            "scheme" => links[0].path = "javascript:alert(1)".to_owned(),
            "absolute" => links[0].path = "//evil.example/".to_owned(),
            "dots" => links[0].path = "article/../../admin".to_owned(),
            "long" => links[0].path = "x".repeat(10_000),
            "control" => links[0].query.push(("a".to_owned(), "b\r\nSet-Cookie: x".to_owned())),
            "query" => links[0].query = vec![("a".to_owned(), "b".to_owned()); 1_000],
            _ => {}
        }
        Ok(links)
    }
}

impl Access for Faulty {
    fn decide(context: &Context, request: AccessRequest) -> Result<Permissions, String> {
        fail(context)?;
        Ok(Permissions { visit_power: !request.permissions.visit_power, ..request.permissions })
    }
}

impl Layout for Faulty {
    fn contribute(context: &Context) -> Result<Vec<Contribution>, String> {
        let fault = fail(context)?;
        if context.route.is_empty() {
            return Ok(Vec::new());
        }
        let one = |slot: &str, module: &str, props: &str| Contribution {
            slot: slot.into(),
            module: module.into(),
            props: props.into(),
        };
        Ok(match fault.as_str() {
            "not-json" => vec![one("footer.rows", "faulty", "{")],
            "not-object" => vec![one("footer.rows", "faulty", "[1]")],
            "deep-json" => vec![one("footer.rows", "faulty", &format!("{{\"a\":{}", "[".repeat(20_000)))],
            "big-props" => vec![one("footer.rows", "faulty", &format!("{{\"a\":\"{}\"}}", "x".repeat(100_000)))],
            "output" => vec![one("footer.rows", "faulty", &format!("{{\"a\":\"{}\"}}", "x".repeat(2 << 20)))],
            "unlisted" => vec![one("footer.rows", "somebody-elses", "{}")],
            "bad-slot" => vec![one("<script>", "faulty", "{}")],
            "crowd" => (0..1000).map(|_| one("footer.rows", "faulty", "{}")).collect(),
            _ => vec![one("footer.rows", "faulty", "{}")],
        })
    }
}

impl Translate for Faulty {
    fn translate(context: &Context, request: TranslateRequest) -> Result<Translation, TranslateFailure> {
        let fault = fail(context)?;
        if fault == "off" {
            return Err(TranslateFailure::Off);
        }
        let text = if fault == "output" { "x".repeat(300_000) } else { request.text };
        Ok(Translation { text, source: request.source })
    }
}

/// Calls a capability and returns its result as text.
fn probe(path: &str) -> Result<String, String> {
    Ok(match path {
        "content" => format!("{:?}", content::latest(5)?),
        "acted" => format!("{:?}", kv::get("acted")?.map(|value| value.len())),
        "has" => secrets::has("key").to_string(),
        "sign" => secrets::sign("key", "The quick brown fox jumps over the lazy dog")?,
        "kv" => {
            let count = kv::get("count")?.map_or(0, |count| count.len()) + 1;
            kv::set("count", vec![1; count])?;
            count.to_string()
        }
        "http" => {
            let Settings { address, .. } = settings()?;
            String::from_utf8_lossy(&http::get(&address).send()?.body).into_owned()
        }
        other => other.to_owned(),
    })
}

impl Routes for Faulty {
    fn handle(context: &Context, mut request: RouteRequest) -> Result<Response, String> {
        let fault = fail(context)?;
        if fault == "probe" {
            request.path = probe(&request.path)?;
        }
        let header = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
        let (mut status, mut headers, mut body) =
            (200, header("content-type", "text/plain"), request.path.into_bytes());
        match fault.as_str() {
            "status" => status = 101,
            "cookie" => headers = header("set-cookie", "session=stolen"),
            "split" => headers = header("etag", "a\r\nset-cookie: session=stolen"),
            "elsewhere" => headers = header("location", "https://evil.example/"),
            "output" => body = vec![b'x'; 600 << 10],
            _ => {}
        }
        Ok(Response { status, headers, body })
    }
}

impl Events for Faulty {
    fn notify(context: &Context, _: Event) -> Result<(), String> {
        fail(context).map(drop)
    }
}

register!(Faulty: Links, Access, Layout, Translate, Routes, Events);
