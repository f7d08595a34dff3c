//! What the gateway of the template lets through.

/// The template itself.
const TEMPLATE: &str = include_str!("../../../../template.yaml");

/// Requests a second that the gateway accepts on a route with these parameters' defaults.
pub(crate) fn rate_of(route: &str) -> u64 {
    let own = TEMPLATE.lines().find_map(|line| {
        let settings = line.trim().strip_prefix(route)?.strip_prefix(": {")?;
        // The second number applies with full rates, the default.
        let (_, numbers) = settings.split_once("ThrottlingRateLimit: !If [Low, ")?;
        numbers.split_once(']')?.0.split_once(", ")?.1.parse().ok()
    });
    own.unwrap_or_else(default_rate)
}

/// The rate of a route without one of its own.
fn default_rate() -> u64 {
    let rate = TEMPLATE.lines().find_map(|line| {
        let parameter = line.trim().strip_prefix("RequestsPerSecond:")?;
        let digits = parameter.split_once("Default: ")?.1;
        digits.split(|letter: char| !letter.is_ascii_digit()).next()?.parse().ok()
    });
    rate.expect("the template has a rate for all routes")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_are_those_of_the_template() {
        assert!(
            TEMPLATE.contains("ANY /api/xchain/{proxy+}: { ThrottlingRateLimit: !If [Low, 10, 40]")
        );
        assert_eq!(rate_of("ANY /api/xchain/{proxy+}"), 40);
        assert!(TEMPLATE.contains("RequestsPerSecond: { Type: Number, Default: 200"));
        assert_eq!(rate_of("ANY /auth/{proxy+}"), 200);
    }
}
