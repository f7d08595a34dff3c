//! Examples of runestones from the protocol's guide and from the tests of `ordinals`.

use bitcoin::hex::{DisplayHex as _, FromHex as _};

use super::*;

fn decipher(hex: &str, outputs: usize) -> Option<Artifact> {
    let script = ScriptBuf::from_bytes(Vec::from_hex(hex).unwrap());
    let scripts = [vec![script], vec![to(1); outputs - 1]].concat();
    Runestone::decipher(&transaction(&[], scripts))
}

fn id(block: u64, tx: u32) -> RuneId {
    RuneId { block, tx }
}

#[test]
fn edicts_are_sorted_and_delta_encoded_as_in_the_guide() {
    let edicts = [(id(10, 5), 5, 1), (id(50, 1), 25, 4), (id(10, 7), 1, 8), (id(10, 5), 10, 3)];
    let edicts = edicts.map(|(id, amount, output)| Edict { id, amount, output });
    let script = runestone_script(edicts.to_vec(), 2);
    assert_eq!(
        script.to_hex_string(),
        ["6a5d13", "1602", "00", "0a050501", "00000a03", "00020108", "28011904"].concat()
    );
    let Some(Artifact::Runestone(runestone)) = decipher(&script.to_hex_string(), 9) else {
        panic!("not a runestone");
    };
    assert_eq!(runestone.pointer, Some(2));
    assert_eq!(runestone.edicts, [edicts[0], edicts[3], edicts[2], edicts[1]]);
}

#[test]
fn several_edicts_are_parsed() {
    let edicts = vec![
        Edict { id: id(1, 1), amount: 2, output: 0 },
        Edict { id: id(1, 4), amount: 5, output: 0 },
    ];
    let expected = Runestone { edicts, ..Runestone::default() };
    let script = script_of(&[0, 1, 1, 2, 0, 0, 3, 5, 0]);
    assert_eq!(script.as_bytes().to_lower_hex_string(), "6a5d09000101020000030500");
    assert_eq!(decipher("6a5d09000101020000030500", 1), Some(Artifact::Runestone(expected)));
}

#[test]
fn an_etching_with_every_field_is_refused() {
    let hex = [
        "6a5d", "27", "0207", "0409", "0107", "030a", "0540", "0608", "0a0e", "080b", "0c0c",
        "0e0d", "100f", "1210", "1411", "1412", "1600", "00", "02030100", "03060401",
    ]
    .concat();
    let Some(Artifact::Runestone(runestone)) = decipher(&hex, 2) else {
        panic!("not a runestone");
    };
    assert_eq!(runestone.mint, Some(id(17, 18)));
    assert_eq!(runestone.edicts[1], Edict { id: id(5, 6), amount: 4, output: 1 });
    let script = ScriptBuf::from_bytes(Vec::from_hex(&hex).unwrap());
    let inputs = [coin(1, &[])];
    let transaction = transaction(&inputs, vec![script, to(1)]);
    assert_eq!(flow(&transaction, &inputs, &runes()), Err(FlowError::Creates));
}

#[test]
fn malformed_runestones_are_cenotaphs() {
    for (hex, flaw) in [
        // An unterminated varint.
        ("6a5d0180", Flaw::Varint),
        // A tag without a value.
        ("6a5d0101", Flaw::TruncatedField),
        // An unknown even tag.
        ("6a5d027e00", Flaw::UnrecognizedEvenTag),
        // Integers that do not form a whole edict.
        ("6a5d06000101020001", Flaw::TrailingIntegers),
        // Output 2 of 1.
        ("6a5d050001010202", Flaw::EdictOutput),
        // Block 0 with an index.
        ("6a5d050000010200", Flaw::EdictRuneId),
        // OP_VERIFY after the payload.
        ("6a5d0069", Flaw::Opcode),
        // A truncated push.
        ("6a5d0400", Flaw::InvalidScript),
    ] {
        let Some(Artifact::Cenotaph(cenotaph)) = decipher(hex, 1) else {
            panic!("{hex} is not a cenotaph");
        };
        assert_eq!(cenotaph.flaw, Some(flaw), "{hex}");
    }
}

#[test]
fn runestones_are_as_long_as_published() {
    let id = id(1_000_000, u32::MAX);
    // The pointer takes two bytes that the published lengths do not include.
    for (amount, count, length) in [
        (0, 1, 14),
        (u128::MAX, 1, 32),
        (u128::MAX, 2, 54),
        (u64::MAX.into(), 4, 62),
        (1_000_000_000_000_000_000, 5, 70),
    ] {
        let edicts = vec![Edict { id, amount, output: 0 }; count];
        assert_eq!(runestone_script(edicts, 0).len(), length + 2);
    }
}
