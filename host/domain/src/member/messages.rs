//! What is sent to members, and why.

use super::named;

named! {
    /// How a message is sent.
    Channel {
        /// By e-mail.
        Mail = "mail",
        /// As a text message to a mobile phone.
        Sms = "sms",
    }
}

named! {
    /// What a code is for: it is of no use for anything else.
    CodePurpose {
        /// To sign in.
        Login = "login",
        /// To register.
        Register = "register",
        /// To set a new password without the old one.
        Reset = "reset",
        /// To show that a mobile number is the member's.
        Mobile = "mobile",
        /// To show that an e-mail address is the member's.
        Email = "email",
        /// To subscribe.
        Subscribe = "subscribe",
        /// To bind an external identity to an account.
        Bind = "bind",
        /// To erase an account.
        Erase = "erase",
    }
}

named! {
    /// What a subscriber is told of (specification: subscription type).
    SubscriptionType {
        /// New issues.
        Current = "current",
        /// Articles that are published online first.
        OnlineFirst = "onlineFirst",
        /// Articles with one of the keywords.
        Keywords = "keywords",
        /// New content of a column.
        Column = "column",
    }
}
