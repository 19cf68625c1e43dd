/** Browser features that the tag uses and TypeScript's DOM types lack. */
interface Document {
  /** https://wicg.github.io/nav-speculation/prerendering.html */
  readonly prerendering?: boolean;
}

interface Navigator {
  /** https://w3c.github.io/gpc/ */
  readonly globalPrivacyControl?: boolean;
  /** https://wicg.github.io/savedata/ */
  readonly connection?: { readonly saveData?: boolean };
}
