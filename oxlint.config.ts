import { readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'oxlint';
import { wallsOf } from './scripts/rooms.ts';

const root = import.meta.dirname;

type Pattern = { regex: string; message: string };

const DOMAINS = readdirSync(path.join(root, 'domain'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .join('|');

/** What no file of a tree may import, whichever room it is in. */
const SERVER: Pattern[] = [
  {
    regex: '^(#server/|(\\.\\./)+)([^./][^/]*/)+(routes|store|view)([-.][^/]*)?\\.ts$',
    message: 'Call a use case of that domain: its routes, store and view are its own.',
  },
  {
    regex: '^(#web/|(\\.\\./)+(web|tag|e2e|scripts)/)',
    message: 'server/ imports domain/, server/ and packages only.',
  },
];

const browser = (tag: string): Pattern => ({
  regex: `^(node:|#server/|(\\.\\./)+(server|e2e|scripts)/|(\\.\\./)+tag/${tag})`,
  message: 'web/ runs in the browser: domain/, web/ and packages only.',
});
/** The preview of an ad is drawn by the code that draws it on publishers' pages: of the tag, only render.ts. */
const PREVIEW = 'web/ads/ad-preview.tsx';
const NO_DOMAIN: Pattern = {
  regex: `^(#domain/|(\\.\\./)+domain/)(${DOMAINS})/`,
  message: 'ui/ and http/ know no domain.',
};

function refuse(patterns: Pattern[]): { 'no-restricted-imports': ['error', { patterns: Pattern[] }] } {
  return { 'no-restricted-imports': ['error', { patterns }] };
}

const rooms = wallsOf(root).map(({ glob, refused, message }) => {
  const tree = glob.startsWith('server/') ? SERVER : [browser('')];
  const kit = /^web\/(ui|http)\//.test(glob) ? [NO_DOMAIN] : [];
  return {
    files: [glob],
    // Tests may build their scene from any room; testing/ is theirs.
    excludeFiles: ['**/*.test.ts', 'server/testing/**', PREVIEW],
    rules: refuse([...tree, ...kit, { regex: refused, message }]),
  };
});

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'unicorn', 'oxc', 'vitest', 'jsx-a11y', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'data', '.cache', 'node_modules', 'server/db/tables.ts'],
  rules: {
    eqeqeq: 'error',
    'import/no-cycle': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'vitest/no-focused-tests': 'error',
    'vitest/no-disabled-tests': 'error',

    // The compiler's automatic JSX runtime needs no React in scope.
    'react/react-in-jsx-scope': 'off',
    // Style sheets are imported for their effect.
    'import/no-unassigned-import': 'off',
    // pg is CommonJS: `pg.Client` is the documented way.
    'import/no-named-as-default-member': 'off',
    // Rows, JSON and test replies are asserted at the edge, where zod or SQL vouches for them.
    'typescript/no-unsafe-type-assertion': 'off',
    // The compiler knows exhaustive switches, this rule does not.
    'typescript/consistent-return': 'off',
    // One after the other is mostly meant: one transaction has one connection.
    'no-await-in-loop': 'off',
    // Type parameters and short callbacks may reuse a plain word.
    'no-shadow': 'off',
    // Blind to variables that a callback changes while the loop awaits.
    'no-unmodified-loop-condition': 'off',
    // A test may walk many cases that owe different answers.
    'vitest/no-conditional-expect': 'off',
    // Copies are wanted, and the lists are short.
    'oxc/no-map-spread': 'off',
    // A helper may stand where it is used.
    'unicorn/consistent-function-scoping': 'off',
    // <output> is announced less reliably than role='status'.
    'jsx-a11y/prefer-tag-over-role': 'off',
  },
  overrides: [
    {
      // Wall: the business's rules depend on nothing that happens.
      files: ['domain/**/*.ts'],
      excludeFiles: ['domain/**/*.test.ts'],
      rules: refuse([
        {
          regex: '^([^.#z]|z[^o]|zo[^d]|zod[^/]|#[^d]|(\\.\\./)+(server|web|tag|e2e|scripts)/)',
          message: 'domain/ imports zod and domain/ only.',
        },
      ]),
    },
    { files: ['server/**/*.ts'], rules: refuse(SERVER) },
    ...rooms,
    {
      files: [PREVIEW],
      rules: refuse([
        browser('([^r]|r[^e]|re[^n])'),
        ...wallsOf(root)
          .filter(({ glob }) => glob === 'web/ads/*.{ts,tsx}')
          .map(({ refused, message }) => ({ regex: refused, message })),
      ]),
    },
    {
      // Wall: the script that publishers embed carries nothing but itself.
      files: ['tag/**/*.ts'],
      excludeFiles: ['tag/**/*.test.ts', 'tag/vite.config.ts'],
      rules: {
        ...refuse([
          {
            regex:
              '^([^.#]|#[^d]|#domain/([^d]|d[^e]|delivery/([^w]|w[^i]|wi[^r]|wir[^e]|wire[^.]))|(\\.\\./)+)',
            message: 'tag/ imports itself and #domain/delivery/wire.ts only.',
          },
        ]),
        // Shorter, and every byte is paid by each page view of each publisher.
        'unicorn/prefer-add-event-listener': 'off',
      },
    },
    {
      // A journey asserts by waiting for what must appear.
      files: ['e2e/**/*.test.ts'],
      rules: { 'vitest/expect-expect': 'off' },
    },
    {
      // JSON that a test reads or a script parses is what the next line says it is, or that line fails.
      files: ['**/*.test.ts', '**/testing/**', 'e2e/**', 'scripts/**/*.mjs'],
      rules: {
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      // Styled as cards on a narrow screen, where browsers drop a table's own roles: they are said again.
      files: ['web/ui/table.tsx'],
      rules: {
        'jsx-a11y/no-redundant-roles': 'off',
        'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
      },
    },
  ],
});
