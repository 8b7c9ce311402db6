//! Bytes as text for addresses and files: base64 with `-` and `_`, without padding (RFC 4648, §5).

const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Bytes as text.
pub fn encode(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().enumerate().fold(0u32, |word, (i, b)| word | u32::from(*b) << (16 - 8 * i));
        for i in 0..=chunk.len() {
            out.push(char::from(LETTERS[(word >> (18 - 6 * i) & 63) as usize]));
        }
    }
    out
}

/// Text as bytes; `None` if it is not base64.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=');
    let mut out = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for chunk in text.as_bytes().chunks(4) {
        if chunk.len() == 1 {
            return None;
        }
        let mut word = 0u32;
        for (i, letter) in chunk.iter().enumerate() {
            let letter = match letter {
                b'+' => b'-',
                b'/' => b'_',
                other => *other,
            };
            word |= (LETTERS.iter().position(|l| *l == letter)? as u32) << (18 - 6 * i);
        }
        out.extend(word.to_be_bytes()[1..chunk.len()].iter());
    }
    Some(out)
}
