//! The proxies of `docs/operations.md`, each before a running host: addresses, clients, compression, uploads.

use std::{
    fs::{self, File},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use masthead_test_support::{HANG, between, stderr, stdout};
use serde_json::Value;

use super::{Block, document, has_programs, machine::Machine, parsed, program};

const SITE: &str = "https://journal.example.org";
const CERTIFICATE: &str = "/etc/letsencrypt/live/journal.example.org/fullchain.pem";
const KEY: &str = "/etc/letsencrypt/live/journal.example.org/privkey.pem";
/// Bytes of the largest file of the upload: more than a proxy takes unless its configuration says so.
const LARGE: usize = 8 << 20;
/// How often ports are chosen: another process may take one before the proxy does.
const ATTEMPTS: usize = 5;

/// A running proxy, killed when it is dropped.
struct Proxy(Child);

impl Drop for Proxy {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Proxy {
    /// Starts the command of a proxy for ports of http and https, and waits until it accepts connections. curl reaches it by the names
    /// and ports of the document.
    fn start(machine: &Machine, command: impl Fn(u16, u16) -> Command) -> Self {
        let log = machine.root().join("proxy.log");
        for _ in 0..ATTEMPTS {
            let (http, https) = free_ports();
            let mut command = command(http, https);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).unwrap());
            let mut proxy = Self(command.spawn().unwrap());
            if proxy.accepts(&[http, https], &log) {
                let to = |port: u16, own: u16| format!("connect-to = \"journal.example.org:{port}:127.0.0.1:{own}\"\n");
                let trusted = format!("cacert = \"{}\"\n", machine.path(CERTIFICATE).display());
                machine.configure_curl(&(to(80, http) + &to(443, https) + &trusted));
                return proxy;
            }
        }
        panic!("no free ports in {ATTEMPTS} attempts: {}", fs::read_to_string(log).unwrap());
    }

    /// Waits until it accepts connections; `false` if it ended because another process has a port.
    fn accepts(&mut self, ports: &[u16], log: &Path) -> bool {
        let started = Instant::now();
        loop {
            if let Some(status) = self.0.try_wait().unwrap() {
                let said = fs::read_to_string(log).unwrap();
                assert!(said.to_lowercase().contains("address already in use"), "it ended with {status}: {said}");
                return false;
            }
            if ports.iter().all(|port| TcpStream::connect(("127.0.0.1", *port)).is_ok()) {
                return true;
            }
            assert!(started.elapsed() < HANG, "it accepts no connections: {}", fs::read_to_string(log).unwrap());
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

fn free_ports() -> (u16, u16) {
    let [one, other] = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    (one.local_addr().unwrap().port(), other.local_addr().unwrap().port())
}

/// Checks a configuration with the program that reads it.
fn is_valid(mut check: Command) {
    let output = check.output().unwrap();
    assert!(output.status.success(), "{check:?}: {}{}", stdout(&output), stderr(&output));
}

/// The machine of the document with a running host, a certificate for the site, and a package of several megabytes to upload.
fn machine(name: &str, blocks: &[Block]) -> Machine {
    let mut machine = Machine::installed(name, blocks);
    let certificate = machine.path(CERTIFICATE);
    fs::create_dir_all(certificate.parent().unwrap()).unwrap();
    let mut openssl = machine.command("openssl");
    openssl.args([
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "30",
    ]);
    openssl.args(["-subj", "/CN=journal.example.org", "-addext", "subjectAltName=DNS:journal.example.org"]);
    openssl.arg("-keyout").arg(machine.path(KEY)).arg("-out").arg(&certificate);
    is_valid(openssl);

    let article = "<article xml:lang=\"en\"><front><journal-meta><journal-title-group><journal-title>Small</journal-title>\
        </journal-title-group></journal-meta><article-meta><article-id pub-id-type=\"doi\">10.5555/upload.1</article-id><title-group>\
        <article-title>Sent</article-title></title-group></article-meta></front><body><p>Words.</p></body></article>";
    let mut pdf = b"%PDF-1.7\n".to_vec();
    pdf.resize(LARGE, b' ');
    let mut package = tar::Builder::new(File::create(machine.path("/srv/articles.tar")).unwrap());
    for (name, bytes) in [("a.xml", article.as_bytes()), ("a.pdf", pdf.as_slice())] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        package.append_data(&mut header, name, bytes).unwrap();
    }
    package.finish().unwrap();
    machine.start();
    machine
}

/// The head of a response.
fn head(machine: &Machine, more: &[&str], path: &str) -> String {
    let address = format!("{SITE}{path}");
    machine.curl(&[&["-o", "/dev/null", "-D", "-"], more, &[address.as_str()]].concat()).to_lowercase()
}

/// What holds behind every proxy.
fn check(machine: &Machine, blocks: &[Block]) {
    let page = format!("{SITE}/en/home");
    let version = machine.curl(&["-o", "/dev/null", "-w", "%{http_version}", &page]);
    assert_eq!(version, "2");
    let text = machine.curl(&[&page]);
    assert!(text.contains(SITE) && !text.contains("http://journal.example.org"), "{text}");

    let headers = head(machine, &[], "/en/home");
    assert_eq!(headers.matches("strict-transport-security: max-age=63072000").count(), 1, "{headers}");
    assert_eq!(headers.matches("strict-transport-security").count(), 1, "{headers}");
    assert!(!headers.contains("content-encoding"), "it is sent as it was asked for: {headers}");
    let headers = head(machine, &["-H", "Accept-Encoding: gzip"], "/en/home");
    assert_eq!(headers.matches("content-encoding: gzip").count(), 1, "{headers}");
    let unpacked = machine.curl(&["--compressed", &page]);
    assert!(unpacked.contains("</html>"), "it is compressed once: {unpacked}");

    // The id of a request is that of the proxy, not of the reader, and the log of the host has it.
    let headers = head(machine, &["-H", "X-Request-Id: forged"], "/en/home");
    let id = between(&headers, "x-request-id: ", "\r\n").to_owned();
    assert!(id.len() >= 32 && headers.matches("x-request-id").count() == 1, "{headers}");
    let started = Instant::now();
    while !fs::read_to_string(machine.log()).unwrap().to_lowercase().contains(&id) {
        assert!(started.elapsed() < HANG, "the log has no request {id}");
        std::thread::sleep(Duration::from_millis(20));
    }
    clients_are_told_apart(machine);
    commands_and_upload(machine, blocks);
}

/// Each client has its own limit of wrong tokens, whatever it writes into the header of the proxies.
fn clients_are_told_apart(machine: &Machine) {
    let call = format!("{SITE}/rc-pub/admin/import");
    let status = |client: &str, number: usize| {
        let forged = format!("X-Forwarded-For: 198.51.100.{}", number % 200 + 1);
        let shown = ["-o", "/dev/null", "-w", "%{http_code}", "--interface", client];
        machine.curl(&[&shown[..], &["-H", &forged, "-H", "token: wrong", &call]].concat())
    };
    let refused = (0..200).find(|number| status("127.0.0.2", *number) == "429");
    assert!(refused.is_some(), "a client that forges addresses has no limit");
    assert_eq!(status("127.0.0.3", 0), "401", "another client has a limit of its own");
}

/// Runs the commands with a proxy, which send the package too, and waits for its import.
fn commands_and_upload(machine: &Machine, blocks: &[Block]) {
    let made = blocks.iter().find(|block| block.text.contains("masthead token create")).unwrap();
    let said = machine.shell(&made.text, made.line);
    let tokens: Vec<&str> = said.split_whitespace().filter(|word| word.starts_with("mht_")).collect();
    let [token, monitor] = tokens[..] else { panic!("{said}") };
    machine.shell(&format!("export TOKEN='{token}' MONITOR='{monitor}'"), 0);
    assert!(!machine.curl(&[&format!("{SITE}/metrics")]).contains("masthead_http"), "everybody reads the metrics");
    let mut sent = None;
    for block in blocks.iter().filter(|block| block.has("proxy")) {
        let said = machine.shell(&block.text, block.line);
        if block.text.contains("/rc-pub/admin/import") {
            let answer = said.lines().last().unwrap_or_default();
            sent = Some(serde_json::from_str::<Value>(answer).unwrap_or_else(|error| panic!("{error}: {said}")));
        }
    }
    let sent = sent.expect("the document has no upload");
    let bytes = fs::metadata(machine.path("/srv/articles.tar")).unwrap().len();
    assert_eq!(sent["data"]["bytes"], bytes, "{sent}");
    let job = format!("{SITE}/rc-pub/admin/import/{}", sent["data"]["id"].as_str().unwrap());
    let authorised = format!("token: {token}");
    let started = Instant::now();
    loop {
        let report: Value = serde_json::from_str(&machine.curl(&["-H", &authorised, &job])).unwrap();
        let of_job = &report["data"]["job"];
        if !["waiting", "running"].contains(&of_job["state"].as_str().unwrap_or_default()) {
            assert_eq!((&of_job["state"], &of_job["created"]), (&Value::from("done"), &Value::from(1)), "{report}");
            return;
        }
        assert!(started.elapsed() < HANG, "the import does not end: {report}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn file<'a>(blocks: &'a [Block], path: &str) -> &'a Block {
    blocks.iter().find(|block| block.path() == Some(path)).unwrap_or_else(|| panic!("the document has no {path}"))
}

#[test]
fn nginx_serves_the_host_with_tls() {
    let what = "nginx of docs/operations.md";
    if !has_programs(&["bash", "curl", "openssl"], what) {
        return;
    }
    let Some(nginx) = program("nginx", what) else { return };
    let (blocks, _) = parsed(&document());
    let machine = machine("ops-nginx", &blocks);
    let site = machine.rendered(&file(&blocks, "/etc/nginx/conf.d/masthead.conf").text);
    let (root, main) = (machine.root().to_owned(), machine.root().join("nginx.conf"));
    fs::create_dir(root.join("nginx")).unwrap();
    // One process, with all its files in the scratch folder and no port that needs rights.
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
        .map(|name| format!("{name}_temp_path {}/nginx/{name};\n", root.display()))
        .concat();
    let process = format!("daemon off;\nmaster_process off;\npid {}/nginx/pid;\nerror_log stderr;\n", root.display());
    let start = |http: u16, https: u16| {
        let own: String = site
            .lines()
            .filter(|line| !line.contains("listen [::]"))
            .map(|line| line.replace("listen 80;", &format!("listen 127.0.0.1:{http};")))
            .map(|line| line.replace("listen 443 ", &format!("listen 127.0.0.1:{https} ")) + "\n")
            .collect();
        assert_eq!(own.matches("listen ").count(), 2, "{own}");
        fs::write(&main, format!("{process}events {{}}\nhttp {{\naccess_log off;\n{temporary}{own}}}\n")).unwrap();
        let mut command = Command::new(&nginx);
        command.arg("-p").arg(&root).args(["-e", "stderr", "-c"]).arg(&main);
        command
    };
    let (http, https) = free_ports();
    let mut form = start(http, https);
    form.arg("-t");
    is_valid(form);
    let _proxy = Proxy::start(&machine, start);
    check(&machine, &blocks);
}

#[test]
fn caddy_serves_the_host_with_tls() {
    let what = "Caddy of docs/operations.md";
    if !has_programs(&["bash", "curl", "openssl"], what) {
        return;
    }
    let Some(caddy) = program("caddy", what) else { return };
    let (blocks, _) = parsed(&document());
    let machine = machine("ops-caddy", &blocks);
    let site = machine.rendered(&file(&blocks, "/etc/caddy/Caddyfile").text);
    let (root, main) = (machine.root().to_owned(), machine.root().join("Caddyfile"));
    let own = format!(
        "journal.example.org {{\n\tbind 127.0.0.1\n\ttls {} {}\n",
        machine.path(CERTIFICATE).display(),
        machine.path(KEY).display()
    );
    assert_eq!(site.matches("journal.example.org {\n").count(), 1, "{site}");
    let run = |verb: &str| {
        let mut command = Command::new(&caddy);
        command.args([verb, "--adapter", "caddyfile", "--config"]).arg(&main);
        command.env("HOME", &root).env("XDG_CONFIG_HOME", root.join("caddy")).env("XDG_DATA_HOME", root.join("caddy"));
        command
    };
    let start = |http: u16, https: u16| {
        let options =
            format!("admin off\n\thttp_port {http}\n\thttps_port {https}\n\tservers {{\n\t\tprotocols h1 h2\n\t}}");
        let site = site.replacen("journal.example.org {\n", &own, 1);
        fs::write(&main, format!("{{\n\t{options}\n}}\n{site}")).unwrap();
        run("run")
    };
    let (http, https) = free_ports();
    drop(start(http, https));
    is_valid(run("validate"));
    let _proxy = Proxy::start(&machine, start);
    check(&machine, &blocks);
}
