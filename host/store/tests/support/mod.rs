//! A PostgreSQL cluster for tests, in a temporary folder, reached over a socket in that folder.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A running cluster; stopped and removed when dropped.
pub struct Cluster {
    /// The socket and the log: the path of a socket has to be short.
    folder: tempfile::TempDir,
    files: tempfile::TempDir,
    tools: PathBuf,
    /// The first role, which may do everything.
    administrator: &'static str,
}

impl Cluster {
    /// Starts a cluster, or returns in one line why it cannot be started here.
    pub fn start() -> Result<Self, String> {
        Self::start_in(&std::env::temp_dir())
    }

    /// Starts a cluster whose files are in a folder of their own in `parent`, which every user can pass through.
    pub fn start_in(parent: &Path) -> Result<Self, String> {
        Self::administered_by("masthead", parent)
    }

    /// Starts a cluster as the package of a distribution leaves it: its only role is `postgres`, which no address of this type names.
    #[allow(dead_code, reason = "not every test program that has this file creates the role itself")]
    pub fn as_installed() -> Result<Self, String> {
        Self::administered_by("postgres", &std::env::temp_dir())
    }

    fn administered_by(administrator: &'static str, parent: &Path) -> Result<Self, String> {
        let tools = tools().ok_or("PostgreSQL's server programs (initdb, pg_ctl) are not installed")?;
        let mut named = tempfile::Builder::new();
        named.prefix("masthead-pg");
        let folder = named.tempdir().map_err(|error| error.to_string())?;
        let files = named.tempdir_in(parent).map_err(|error| error.to_string())?;
        let cluster = Self { folder, files, tools, administrator };
        if is_root() {
            // PostgreSQL refuses to run as root.
            run(Command::new("chown").args(["-R", "nobody"]).args([cluster.folder.path(), cluster.files.path()]))?;
        }
        let data = cluster.data();
        run(cluster
            .command("initdb")
            .args(["-A", "trust", "-U", administrator, "-E", "UTF8", "--no-sync", "-D"])
            .arg(&data))?;
        cluster.resume()?;
        Ok(cluster)
    }

    /// Starts the server of a cluster whose server was stopped.
    pub fn resume(&self) -> Result<(), String> {
        let folder = self.folder.path();
        let options = format!("-c listen_addresses='' -c fsync=off -k {}", folder.display());
        let mut command = self.command("pg_ctl");
        command.args(["-w", "-o", &options, "-l"]).arg(folder.join("log")).arg("-D").arg(self.data());
        run(command.arg("start"))
    }

    /// Stops the server; connections are cut.
    pub fn stop(&self) -> Result<(), String> {
        run(self.command("pg_ctl").args(["-m", "immediate", "-w", "-D"]).arg(self.data()).arg("stop"))
    }

    fn data(&self) -> PathBuf {
        self.files.path().join("data")
    }

    /// The socket on which the server listens.
    #[allow(dead_code, reason = "not every test program that has this file connects to it by itself")]
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join(".s.PGSQL.5432")
    }

    /// The address of the cluster's database.
    pub fn url(&self) -> String {
        self.address("postgres")
    }

    /// Creates another database of the cluster, and returns its address.
    pub fn database(&self, name: &str) -> String {
        self.administer(&["createdb", name]).unwrap();
        self.address(name)
    }

    /// The address of a database, for the role `masthead`.
    pub fn address(&self, database: &str) -> String {
        let socket = self.folder.path().display().to_string().replace('/', "%2F");
        format!("postgres://masthead@{socket}/{database}")
    }

    /// Runs a client program with its arguments as the administrator.
    pub fn administer(&self, words: &[&str]) -> Result<(), String> {
        let (tool, arguments) = words.split_first().ok_or("no program is named")?;
        run(self.client(tool).args(arguments))
    }

    /// The number of clients that are connected to a database.
    #[allow(dead_code, reason = "not every test program that has this file kills clients")]
    pub fn connections(&self, database: &str) -> Result<usize, String> {
        let query = format!(
            "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = '{database}' AND backend_type = 'client backend'"
        );
        let mut psql = self.client("psql");
        psql.args(["-X", "-A", "-t", "-d", "postgres", "-c", &query]).current_dir("/").stdin(Stdio::null());
        let output = psql.output().map_err(|error| format!("{psql:?}: {error}"))?;
        let (said, faults) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        said.trim().parse().map_err(|_| format!("{psql:?}: {said}{faults}"))
    }

    /// A client program that connects as the administrator.
    fn client(&self, tool: &str) -> Command {
        let mut command = self.command(tool);
        command.env("PGHOST", self.folder.path()).env("PGUSER", self.administrator);
        command
    }

    fn command(&self, tool: &str) -> Command {
        let tool = self.tools.join(tool);
        if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "nobody", "--"]).arg(tool);
            command
        } else {
            Command::new(tool)
        }
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.stop();
    }
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|out| out.stdout.starts_with(b"0\n"))
}

fn tools() -> Option<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).find(|folder| folder.join("initdb").exists()));
    found.pop().or(on_path)
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command
        .current_dir(Path::new("/"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}")) }
}
