//! Sending over SMTP (RFC 5321). A connection serves several letters. The time of a letter is limited as a whole, and a connection on which
//! anything went wrong, or whose dialogue was cut off, is never used again: its next answer may belong to an earlier command.

use std::{
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use futures::future::BoxFuture;
use lettre::{
    Address, Message,
    transport::smtp::{
        Error,
        authentication::{Credentials, Mechanism},
        client::{AsyncSmtpConnection, Certificate, TlsParameters},
        commands::{Data, Mail, Rcpt},
        extension::{ClientId, Extension, MailBodyParameter, MailParameter},
        response::Response,
    },
};
use masthead_config::MailEncryption;
use tokio::sync::Semaphore;

use super::{Letter, MailError, Mailer};

/// Time after which an unused connection is not used again: servers close them after some minutes.
const IDLE: Duration = Duration::from_secs(60);
/// The server is ready for the message.
const SEND_IT: u16 = 354;
/// The server has completed the command.
const DONE: u16 = 250;

/// A mail server.
pub struct SmtpMailer {
    pub(super) config: masthead_config::Mail,
    /// The password of the configured user.
    password: Option<String>,
    hello: ClientId,
    /// Connections that wait for the next letter, with the time of their last use.
    idle: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
    permits: Semaphore,
}

impl std::fmt::Debug for SmtpMailer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SmtpMailer({}:{})", self.config.server, self.config.port())
    }
}

impl SmtpMailer {
    /// The server of a configuration; nothing is connected yet.
    #[must_use]
    pub fn new(config: masthead_config::Mail, password: Option<String>) -> Self {
        let domain = config.from.rsplit_once('@').map_or("localhost", |(_, domain)| domain).to_owned();
        let permits = Semaphore::new(config.connections.max(1) as usize);
        Self { config, password, hello: ClientId::Domain(domain), idle: Mutex::default(), permits }
    }

    /// A connection on which the next letter can be sent, and whether it has served another one.
    async fn connection(&self) -> Result<(AsyncSmtpConnection, bool), MailError> {
        loop {
            let kept = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some((connection, used)) = kept else { break };
            if used.elapsed() < IDLE {
                return Ok((connection, true));
            }
        }
        Ok((self.connect().await?, false))
    }

    async fn connect(&self) -> Result<AsyncSmtpConnection, MailError> {
        let failed = |error: Error| self.failed("connecting to", &error);
        let server = (self.config.server.as_str(), self.config.port());
        let tls = || self.tls().map_err(failed);
        let wrapped = if self.config.encryption == MailEncryption::Tls { Some(tls()?) } else { None };
        let time = Some(self.time());
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(server, time, &self.hello, wrapped, None).await.map_err(failed)?;
        if self.config.encryption == MailEncryption::StartTls {
            connection.starttls(tls()?, &self.hello).await.map_err(failed)?;
        }
        if !self.config.user.is_empty() {
            self.sign_in(&mut connection).await?;
        }
        Ok(connection)
    }

    /// The proof that the server is the configured one: a certificate for its name, of an authority that the system or `caFile` has.
    fn tls(&self) -> Result<TlsParameters, Error> {
        let parameters = TlsParameters::builder(self.config.server.clone());
        let authorities = self.config.authorities.as_bytes();
        if authorities.is_empty() {
            return parameters.build();
        }
        parameters.add_root_certificate(Certificate::from_pem(authorities)?).build()
    }

    async fn sign_in(&self, connection: &mut AsyncSmtpConnection) -> Result<(), MailError> {
        let Some(password) = &self.password else {
            return Err(MailError::Failed(format!(
                "mail.user is {:?}, and its password is not set; run `masthead secrets set mail-password --platform`",
                self.config.user
            )));
        };
        let credentials = Credentials::new(self.config.user.clone(), password.clone());
        let signed = connection.auth(&[Mechanism::Plain, Mechanism::Login], &credentials).await;
        signed.map(|_| ()).map_err(|error| self.failed("signing in to", &error))
    }

    async fn deliver(&self, message: &Message) -> Result<(), MailError> {
        let bytes = message.formatted();
        let (mut connection, reused) = self.connection().await?;
        let first = self.transact(&mut connection, message, &bytes).await;
        let done = match first {
            // The server may have closed a connection that waited. Nothing of the letter has been sent yet.
            Err(Stopped::BeforeTheLetter(_)) if reused => {
                connection = self.connect().await?;
                self.transact(&mut connection, message, &bytes).await
            }
            done => done,
        };
        match done {
            Ok(()) => {
                let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
                idle.push((connection, Instant::now()));
                Ok(())
            }
            Err(stopped) => Err(stopped.error()),
        }
    }

    /// The commands that send one letter.
    async fn transact(
        &self,
        connection: &mut AsyncSmtpConnection,
        message: &Message,
        bytes: &[u8],
    ) -> Result<(), Stopped> {
        let envelope = message.envelope();
        let eight_bit = !bytes.is_ascii();
        if eight_bit && !connection.server_info().supports_feature(Extension::EightBitMime) {
            return Err(Stopped::Letter(MailError::Failed("the mail server takes 7-bit letters only".to_owned())));
        }
        let body = eight_bit.then_some(MailParameter::Body(MailBodyParameter::EightBitMime));
        let from = Mail::new(envelope.from().cloned(), body.into_iter().collect());
        let answer = connection.command(from).await;
        self.expect(answer, DONE, "MAIL").map_err(|refusal| Stopped::BeforeTheLetter(refusal.of_server()))?;
        for to in envelope.to() {
            self.recipient(connection, to).await?;
        }
        let answer = connection.command(Data).await;
        self.expect(answer, SEND_IT, "DATA").map_err(|refusal| Stopped::Letter(refusal.of_letter()))?;
        let answer = connection.message(bytes).await;
        self.expect(answer, DONE, "the letter").map_err(|refusal| Stopped::Letter(refusal.of_letter()))
    }

    async fn recipient(&self, connection: &mut AsyncSmtpConnection, to: &Address) -> Result<(), Stopped> {
        let answer = connection.command(Rcpt::new(to.clone(), Vec::new())).await;
        // 251 and 252 take the letter as well, for forwarding.
        if answer.as_ref().is_ok_and(|answer| answer.has_code(251) || answer.has_code(252)) {
            return Ok(());
        }
        self.expect(answer, DONE, "RCPT").map_err(|refusal| Stopped::Letter(refusal.of_letter()))
    }

    /// Checks the answer to a command. A positive answer with another code is an error: the server is at another step of the dialogue.
    fn expect(&self, answer: Result<Response, Error>, code: u16, to: &str) -> Result<(), Refusal> {
        match answer {
            Ok(answer) if answer.has_code(code) => Ok(()),
            Ok(answer) => Err(Refusal {
                permanent: false,
                message: format!("the mail server answers {to} with {}, where {code} is expected", answer.code()),
            }),
            Err(error) => Err(Refusal { permanent: error.is_permanent(), message: format!("{to}: {error}") }),
        }
    }

    fn failed(&self, what: &str, error: &Error) -> MailError {
        MailError::Failed(format!("{what} the mail server {}:{}: {error}", self.config.server, self.config.port()))
    }

    fn time(&self) -> Duration {
        Duration::from_secs(u64::from(self.config.timeout_seconds))
    }
}

impl Mailer for SmtpMailer {
    fn send<'a>(&'a self, letter: &'a Letter) -> BoxFuture<'a, Result<(), MailError>> {
        Box::pin(async move {
            let message = letter.message()?;
            let Ok(_permit) = self.permits.acquire().await else {
                return Err(MailError::Failed("the mailer is closed".to_owned()));
            };
            match tokio::time::timeout(self.time(), self.deliver(&message)).await {
                Ok(sent) => sent,
                Err(_) => Err(MailError::Failed(format!(
                    "the mail server {} has not taken a letter within {} seconds",
                    self.config.server, self.config.timeout_seconds
                ))),
            }
        })
    }
}

/// A negative answer, or none.
struct Refusal {
    permanent: bool,
    message: String,
}

impl Refusal {
    /// It is about this recipient or letter.
    fn of_letter(self) -> MailError {
        if self.permanent { MailError::Refused(self.message) } else { MailError::Failed(self.message) }
    }

    /// It is about the sender or the connection, and so not the fault of one letter.
    fn of_server(self) -> MailError {
        MailError::Failed(self.message)
    }
}

/// Where a dialogue stopped.
enum Stopped {
    /// Before the first command of the letter.
    BeforeTheLetter(MailError),
    /// Later.
    Letter(MailError),
}

impl Stopped {
    fn error(self) -> MailError {
        match self {
            Self::BeforeTheLetter(error) | Self::Letter(error) => error,
        }
    }
}
