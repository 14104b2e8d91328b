//! An installation whose commands a test kills: a data folder, with the database in a file there or in a PostgreSQL cluster.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
};

use masthead_content::data_folder::open_store;
use masthead_store::Store;
use masthead_test_support::{command, copy, stderr, stdout, until};

use crate::{backup::kills::kill, cluster::Cluster};

/// A data folder and its database, which has the name of the folder in a cluster.
pub struct Installation<'a> {
    pub data: PathBuf,
    cluster: Option<&'a Cluster>,
}

impl<'a> Installation<'a> {
    /// One in a data folder that may exist. Its database in a cluster is not created.
    pub fn new(data: PathBuf, cluster: Option<&'a Cluster>) -> Self {
        Self { data, cluster }
    }

    fn name(&self) -> &str {
        self.data.file_name().unwrap().to_str().unwrap()
    }

    /// The address of its database, unless that is a file.
    pub fn database(&self) -> Option<String> {
        self.cluster.map(|cluster| cluster.address(self.name()))
    }

    pub async fn open(&self) -> Store {
        open_store(&self.data, self.database().as_deref()).await.unwrap()
    }

    /// A command that works on it.
    pub fn command(&self, sites: &Path, arguments: &[&str]) -> Command {
        let mut command = command(sites, &self.data, arguments);
        command.envs(self.database().map(|url| ("MASTHEAD_DATABASE", url)));
        command
    }

    /// Runs a command, and returns its output.
    pub fn output(&self, sites: &Path, arguments: &[&str]) -> Output {
        self.command(sites, arguments).output().unwrap()
    }

    /// Runs a command, which must succeed.
    pub fn run(&self, sites: &Path, arguments: &[&str]) {
        let output = self.output(sites, arguments);
        assert!(output.status.success(), "{arguments:?}: {}{}", stdout(&output), stderr(&output));
    }

    /// Starts a command, kills it after a time, and returns whether it had succeeded before.
    pub fn kill_after(&self, time: Duration, sites: &Path, arguments: &[&str]) -> bool {
        let done = kill(time, self.command(sites, arguments));
        self.wait_for_clients();
        done
    }

    /// Waits until nobody is connected to the database in the cluster. The server does what a killed client has asked of it, which may be
    /// the commit, and rolls back what is not committed then.
    pub fn wait_for_clients(&self) {
        if let Some(cluster) = self.cluster {
            until("the end of the connections", || (cluster.connections(self.name()).unwrap() == 0).then_some(()));
        }
    }

    /// Removes the data folder, and the database in the cluster.
    fn remove(&self) {
        if self.data.exists() {
            fs::remove_dir_all(&self.data).unwrap();
        }
        if let Some(cluster) = self.cluster {
            cluster.administer(&["dropdb", "--if-exists", "--force", self.name()]).unwrap();
        }
    }

    /// Removes what is there; a cluster has an empty database then.
    pub fn clear(&self) {
        self.remove();
        if let Some(cluster) = self.cluster {
            cluster.database(self.name());
        }
    }

    /// Puts the content of another one of the same kind into the place of its own.
    pub fn replace_by(&self, other: &Self) {
        self.remove();
        copy(&other.data, &self.data);
        if let Some(cluster) = self.cluster {
            // A database that has clients is not copied.
            other.wait_for_clients();
            cluster.administer(&["createdb", "--template", other.name(), self.name()]).unwrap();
        }
    }
}
