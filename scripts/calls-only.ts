/**
 * Keeps schemas out of the pages. A page that makes a call needs the call's method and path; only a form validates. So
 * the build gives most modules of the web application contracts without schemas, and pages load without zod. [LITE-3]
 */
import { readFileSync } from 'node:fs';
import type { ESTree, Plugin } from 'vite';

/** The fields of a contract that a call needs. */
const NEEDED = new Set(['method', 'path']);

/** Marks the version of a contract that has its schemas. */
const WHOLE = '?whole';

/**
 * A Vite plugin. A module that imports zod or `bodyOf` gets the contracts with their schemas, and all others get them
 * without. Types are the same for both, and `bodyOf` is the only reader of a schema.
 */
export function callsOnly(): Plugin {
  return {
    name: 'calls-only',
    resolveId: {
      order: 'pre',
      async handler(source, importer, options) {
        // Leave everything else to the bundler's own resolver, which is many times as fast.
        if (importer === undefined || !(source.startsWith('#domain/') || isDomain(bare(importer))))
          return null;
        const found = await this.resolve(source, importer, { ...options, skipSelf: true });
        if (!found || !isContract(found.id)) return found;
        const validates = importer.endsWith(WHOLE) || isValidator(importer);
        return { ...found, id: validates ? found.id + WHOLE : found.id };
      },
    },
    transform(code, id) {
      const file = bare(id);
      if (!isDomain(file)) return null;
      const keepsSchemas = !isContract(file) || id.endsWith(WHOLE);
      return {
        code: withoutUnused(code, this.parse(code), keepsSchemas),
        map: null,
        moduleSideEffects: false,
      };
    },
  };
}

/** The file of a module, without a query. */
const bare = (id: string) => id.split('?', 1)[0] ?? '';

const isDomain = (file: string) => /\/domain\/.*\.ts$/.test(file);

function isContract(file: string): boolean {
  return isDomain(file) && /= endpoint\(/.test(readFileSync(file, 'utf8'));
}

function isValidator(file: string): boolean {
  return (
    /\/web\/.*\.tsx?$/.test(file) && /\bbodyOf\b|^import \{.*\} from 'zod'/m.test(readFileSync(file, 'utf8'))
  );
}

/**
 * Marks the start values of a domain module as free of side effects, because the bundler can't see that of calls to
 * zod. The bundler then drops each unused schema.
 */
function withoutUnused(code: string, program: ESTree.Program, keepsSchemas: boolean): string {
  const parts: string[] = [];
  let done = 0;
  for (const init of startValues(program)) {
    const text = code.slice(init.start, init.end);
    const isCall = init.type === 'CallExpression' && text.startsWith('endpoint(');
    const value = isCall && !keepsSchemas ? methodAndPath(code, init) : text;
    parts.push(code.slice(done, init.start), `/* @__PURE__ */ (() => (${value}))()`);
    done = init.end;
  }
  return parts.join('') + code.slice(done);
}

/** The start values of a module's constants, except functions and plain literals. */
function startValues(program: ESTree.Program): ESTree.Expression[] {
  const declarations = program.body.map((statement) =>
    statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement,
  );
  return declarations
    .flatMap((each) => (each?.type === 'VariableDeclaration' ? each.declarations : []))
    .flatMap(({ init }) => (init ? [init] : []))
    .filter(({ type }) => !['ArrowFunctionExpression', 'Literal', 'TemplateLiteral'].includes(type));
}

function methodAndPath(code: string, call: ESTree.CallExpression): string {
  const [description] = call.arguments;
  if (description?.type !== 'ObjectExpression') throw new Error('A contract is not written as an object');
  // A spread copies another contract, which is reduced to these fields as well.
  const fields = description.properties.filter(
    (field) =>
      field.type === 'SpreadElement' || (field.key.type === 'Identifier' && NEEDED.has(field.key.name)),
  );
  return `{ ${fields.map(({ start, end }) => code.slice(start, end)).join(', ')} }`;
}
