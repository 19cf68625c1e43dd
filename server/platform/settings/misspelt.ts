/** Every name that begins like one of these is meant for Openslot. */
const FAMILIES = ['STRIPE_', 'PAYOUT_', 'SELLER_', 'S3_', 'SANDBOX_', 'TRUSTED_', 'DKIM_', 'BOUNCE_'];
/** Shorter names resemble a setting by chance, such as `PORTS`. */
const SHORTEST = 9;
const MAX_LETTERS = 2;

/**
 * Finds the names that are no setting but were probably meant as one, and returns a sentence for each. The environment
 * also has the names of other programs, so only the names of a family and near misses are taken for ours.
 */
export function findMisspelt(given: readonly string[], settings: readonly string[]): string[] {
  return given
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const family = FAMILIES.find((prefix) => name.startsWith(prefix));
      const likely = family ? settings.filter((setting) => setting.startsWith(family)) : settings;
      const [meant, letters] = nearest(name, likely);
      const isOurs = family !== undefined || (name.length >= SHORTEST && letters <= MAX_LETTERS);
      return isOurs
        ? [`${name} is not a setting of Openslot. Set ${meant}, which was probably meant, or unset it.`]
        : [];
    });
}

function nearest(name: string, settings: readonly string[]): [string, number] {
  return settings
    .map((setting): [string, number] => [setting, distance(name, setting)])
    .reduce((best, each) => (each[1] < best[1] ? each : best));
}

/** The number of letters to insert, delete or replace until the two are equal (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of one.split('').entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at += 1) {
      const replaced = row[at - 1]! + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[at]! + 1, next[at - 1]! + 1));
    }
    row = next;
  }
  return row.at(-1)!;
}
