/** What the tag asks of browsers beyond TypeScript's own DOM types. */
interface Document {
  /** https://wicg.github.io/nav-speculation/prerendering.html */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** https://wicg.github.io/savedata/ */
  readonly connection?: { readonly saveData?: boolean };
}
