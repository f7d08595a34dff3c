//! Settings of the chain: where it is read, and what transactions look like.

use base::{provider::ProviderUrl, section, settings::yes_or_no};

section! {
    /// Where the chain is read.
    pub struct EsploraConfig {
        /// Base address of the Esplora server, API path included, or `ssm:` and the name of the SSM parameter that holds it
        pub url: ProviderUrl = "ESPLORA_URL",
    }
}

section! {
    /// The form of the transactions that the service builds.
    pub struct FormConfig {
        /// Whether withdrawals of runes commit to their data in a second OP_RETURN, which nodes before Bitcoin Core 30 do not relay: `yes` or `no`
        pub second_op_return: bool = "SECOND_OP_RETURN" or "no" via yes_or_no,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use base::settings::read;

    use super::*;

    #[test]
    fn wrong_values_stop_the_start() {
        let read_as = |value: &'static str| {
            read::<FormConfig>(move |name| (name == "SECOND_OP_RETURN").then(|| value.to_owned()))
        };
        assert!(read_as("true").unwrap_err().to_string().contains("SECOND_OP_RETURN"));
        assert!(read_as("yes").unwrap().second_op_return);
    }
}
