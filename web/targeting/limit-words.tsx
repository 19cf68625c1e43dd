import type { Targeting } from '#domain/targeting/limits.ts';
import { limitWords } from '#domain/targeting/words.ts';

/** Limits or exclusions in words, one line for each. */
export function LimitWords({ limits }: { limits: Targeting }) {
  return (
    <ul className="grid gap-0.5">
      {limitWords(limits).map(({ name, value }) => (
        <li key={name}>
          {name}: <bdi>{value}</bdi>
        </li>
      ))}
    </ul>
  );
}
