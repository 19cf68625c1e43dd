import { readdirSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'oxlint';
import { LONG_FUNCTIONS, MAX_FUNCTION_LINES } from './scripts/long-functions.ts';
import { wallsOf } from './scripts/rooms.ts';

const root = import.meta.dirname;

type Pattern = { regex: string; message: string };

const DOMAINS = readdirSync(path.join(root, 'domain'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .join('|');

const OTHER_TREES: Pattern = {
  regex: '^(#web/|(\\.\\./)+(web|tag|e2e|scripts|lab)/)',
  message: 'server/ imports domain/, server/ and packages only.',
};

/** The list of the calls of all rooms. Only it imports their routes. */
const ALL_ROUTES = 'server/app/marketplace.ts';

/**
 * The imports that are refused in a folder of server/. A room is a folder of a district, with all folders below it, which may
 * import its SQL from each other.
 */
function server(glob: string): Pattern[] {
  if (glob === ALL_ROUTES) return [OTHER_TREES];
  const depth = Math.max(1, path.posix.dirname(glob).split('/').length - 2);
  return [
    {
      regex: `^(#server/|(\\.\\./){${depth},})([^./][^/]*/)+(routes|store|reply)([-.][^/]*)?\\.ts$`,
      message: 'Call a use case of that room instead. Its routes, store and reply are private.',
    },
    OTHER_TREES,
  ];
}

const EXTENSIONS: Pattern = {
  regex: '^(\\.\\./)+extensions/',
  message: 'Only the list in server/platform/extensions.ts imports an extension.',
};

/** Everything else calls the interface in server/platform/provider/payment-provider.ts, which the sandbox implements, too. */
const STRIPE: Pattern = {
  regex: '^stripe(/|$)',
  message: 'Only the adapter of Stripe in server/platform/provider imports its client.',
};

const browser = (tag: string): Pattern => ({
  regex: `^(node:|#server/|(\\.\\./)+(server|e2e|scripts|lab)/|(\\.\\./)+tag/${tag})`,
  message: 'web/ runs in the browser: domain/, web/ and packages only.',
});
/** The preview renders an ad with the same code as publishers' pages, so it may import render.ts of the tag. */
const PREVIEW = 'web/ads/ad-preview.tsx';
const NO_DOMAIN: Pattern = {
  regex: `^(#domain/|(\\.\\./)+domain/)(${DOMAINS})/`,
  message: 'ui/ and http/ may not import a domain.',
};

function refuse(patterns: Pattern[]): { 'no-restricted-imports': ['error', { patterns: Pattern[] }] } {
  return { 'no-restricted-imports': ['error', { patterns }] };
}

const rooms = wallsOf(root).map(({ glob, refused, message }) => {
  const isAdapter = glob.startsWith('server/platform/provider/');
  const isList = glob === 'server/platform/extensions.ts';
  const ofServer = [...server(glob), ...(isAdapter ? [] : [STRIPE]), ...(isList ? [] : [EXTENSIONS])];
  const tree = glob.startsWith('server/') ? ofServer : [browser('')];
  const kit = /^web\/(ui|http)\//.test(glob) ? [NO_DOMAIN] : [];
  return {
    files: [glob],
    // Tests and their tools may import any room.
    excludeFiles: ['**/*.test.{ts,tsx}', '{server,web}/testing/**', PREVIEW],
    rules: refuse([...tree, ...kit, { regex: refused, message }]),
  };
});

export default defineConfig({
  plugins: ['typescript', 'import', 'react', 'unicorn', 'oxc', 'vitest', 'jsx-a11y', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  ignorePatterns: ['dist', 'data', '.cache', 'node_modules', 'server/platform/database/tables.ts'],
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
    // Assertions are needed where rows and JSON enter, after zod or SQL has checked them.
    'typescript/no-unsafe-type-assertion': 'off',
    // This rule does not recognize exhaustive switches. The compiler does.
    'typescript/consistent-return': 'off',
    // Most loops run queries one after the other on purpose, because a transaction has one connection.
    'no-await-in-loop': 'off',
    // Type parameters and short callbacks may reuse a name.
    'no-shadow': 'off',
    // This rule misses variables that a callback changes while the loop awaits.
    'no-unmodified-loop-condition': 'off',
    // A test may loop over cases with different expectations.
    'vitest/no-conditional-expect': 'off',
    // The copies are intended, and the lists are short.
    'oxc/no-map-spread': 'off',
    // A helper may be defined where it is used.
    'unicorn/consistent-function-scoping': 'off',
    // Screen readers announce <output> less reliably than role='status'.
    'jsx-a11y/prefer-tag-over-role': 'off',
  },
  overrides: [
    {
      // Wall: the business rules have no input or output.
      files: ['domain/**/*.ts'],
      excludeFiles: ['domain/**/*.test.ts'],
      rules: refuse([
        {
          regex: '^([^.#z]|z[^o]|zo[^d]|zod[^/]|#[^d]|(\\.\\./)+(server|web|tag|e2e|scripts|lab)/)',
          message: 'domain/ imports zod and domain/ only.',
        },
      ]),
    },
    { files: ['server/**/*.ts'], rules: refuse([...server('server/*'), STRIPE, EXTENSIONS]) },
    ...rooms,
    // Tests of the whole server ask the SQL of several rooms.
    { files: ['server/app/*.test.ts'], rules: refuse([OTHER_TREES, STRIPE, EXTENSIONS]) },
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
      // Wall: the script that publishers embed contains no other code.
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
        // `onload = …` is shorter, and every page view of every publisher loads these bytes.
        'unicorn/prefer-add-event-listener': 'off',
      },
    },
    {
      files: ['{server,domain,web,tag,extensions}/**/*.{ts,tsx}'],
      excludeFiles: [
        '**/*.test.{ts,tsx}',
        '{server,web}/testing/**',
        'server/platform/provider/contract/**',
        ...LONG_FUNCTIONS,
      ],
      rules: { 'max-lines-per-function': MAX_FUNCTION_LINES },
    },
    {
      // An end-to-end test also asserts by waiting for an element.
      files: ['e2e/**/*.test.ts'],
      rules: { 'vitest/expect-expect': 'off' },
    },
    {
      // A component test also asserts with see() and seeToast() of web/testing/look.ts.
      files: ['web/**/*.test.tsx'],
      rules: { 'vitest/expect-expect': ['error', { assertFunctionNames: ['expect*', 'see*'] }] },
    },
    {
      // If JSON in a test or a script does not have the expected shape, the next line fails.
      files: [
        '**/*.test.{ts,tsx}',
        'server/platform/provider/contract/**',
        '**/testing/**',
        'e2e/**',
        '{scripts,lab}/**/*.mjs',
      ],
      rules: {
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
      },
    },
    {
      // On narrow screens, the table is styled as cards. Browsers then drop its roles, so the markup repeats them.
      files: ['web/ui/table.tsx'],
      rules: {
        'jsx-a11y/no-redundant-roles': 'off',
        'jsx-a11y/no-interactive-element-to-noninteractive-role': 'off',
      },
    },
  ],
});
