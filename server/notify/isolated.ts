/** Letters of scripts that run from right to left, and characters that change the direction. */
const TURNS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u200f\u202a-\u202e\u2066-\u2069]/;
/** Characters that begin or end a change of direction. One that is never ended would also reverse the rest of the line. */
const MARKS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Prepares a user's text for a sentence of ours, so that its direction doesn't affect the sentence. Plain text has no markup
 * for that, so this function uses the isolate characters of Unicode's bidirectional algorithm (UAX 9). Text
 * that can't affect the direction is returned unchanged.
 */
export function isolated(text: string): string {
  return TURNS.test(text) ? `\u2068${text.replaceAll(MARKS, '')}\u2069` : text;
}
