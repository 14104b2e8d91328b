//! A software authenticator with the browser around it (WebAuthn): makes passkeys and answers challenges with them. The options of a test let it
//! lie as a stolen, copied or careless one would.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use p256::ecdsa::{DerSignature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Flags of authenticator data: the user is present, and verified; attested credential data follows.
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const ATTESTED: u8 = 0x40;

/// A passkey on the authenticator.
#[derive(Clone)]
pub struct CreatedPasskey {
    pub id: Vec<u8>,
    host: String,
    handle: Vec<u8>,
    key: SigningKey,
    counter: u32,
}

/// The authenticator. A clone is a copy of all its keys.
#[derive(Clone, Default)]
pub struct Authenticator {
    pub keys: Vec<CreatedPasskey>,
    /// Does not ask its user for a finger or a PIN.
    pub careless: bool,
    /// Counts signatures, as security keys do; passkeys that are synchronized do not.
    pub counts: bool,
}

impl Authenticator {
    /// Makes a passkey for these options (`{"publicKey": ...}`) on a page of this origin.
    pub fn create(&mut self, options: &Value, origin: &str) -> Value {
        let options = &options["publicKey"];
        let host = options["rp"]["id"].as_str().unwrap().to_owned();
        let handle = decode(&options["user"]["id"]);
        let key = SigningKey::from_slice(&rand::random::<[u8; 32]>()).unwrap();
        let id = rand::random::<[u8; 32]>().to_vec();
        let made = CreatedPasskey { id: id.clone(), host, handle, key, counter: 0 };
        let client_data = client_data("webauthn.create", options, origin);
        let attestation = self.attestation(&made);
        self.keys.push(made);
        json!({
            "id": encode(&id),
            "rawId": encode(&id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": { "clientDataJSON": encode(&client_data), "attestationObject": encode(&attestation) },
        })
    }

    /// Signs a challenge with the newest passkey for the host that these options name.
    pub fn get(&mut self, options: &Value, origin: &str) -> Value {
        let options = &options["publicKey"];
        let host = options["rpId"].as_str().unwrap();
        let (counts, flags) = (self.counts, self.flags());
        let made = self.keys.iter_mut().rev().find(|made| made.host == host).expect("a passkey of the host");
        made.counter += u32::from(counts);
        let client_data = client_data("webauthn.get", options, origin);
        let data = authenticator_data(&made.host, flags, made.counter);
        let signed = [data.clone(), Sha256::digest(&client_data).to_vec()].concat();
        let signature: DerSignature = made.key.sign(&signed);
        json!({
            "id": encode(&made.id),
            "rawId": encode(&made.id),
            "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": encode(&client_data),
                "authenticatorData": encode(&data),
                "signature": encode(signature.as_bytes()),
                "userHandle": encode(&made.handle),
            },
        })
    }

    fn flags(&self) -> u8 {
        if self.careless { PRESENT } else { PRESENT | VERIFIED }
    }

    /// The attestation object, without an attestation: CBOR by hand.
    fn attestation(&self, made: &CreatedPasskey) -> Vec<u8> {
        let mut data = authenticator_data(&made.host, self.flags() | ATTESTED, 0);
        data.extend([0; 16]);
        data.extend(u16::try_from(made.id.len()).unwrap().to_be_bytes());
        data.extend(&made.id);
        let point = made.key.verifying_key().to_sec1_point(false);
        // {1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y}
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(&point.as_bytes()[1..33]);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(&point.as_bytes()[33..65]);
        let mut object = vec![0xa3];
        object.extend(b"\x63fmt\x64none\x67attStmt\xa0\x68authData\x59");
        object.extend(u16::try_from(data.len()).unwrap().to_be_bytes());
        object.extend(data);
        object
    }
}

fn authenticator_data(host: &str, flags: u8, counter: u32) -> Vec<u8> {
    [Sha256::digest(host).to_vec(), vec![flags], counter.to_be_bytes().to_vec()].concat()
}

fn client_data(kind: &str, options: &Value, origin: &str) -> Vec<u8> {
    let challenge = options["challenge"].as_str().unwrap();
    json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": false }).to_string().into_bytes()
}

fn encode(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn decode(text: &Value) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(text.as_str().unwrap()).unwrap()
}
