/**
 * Checks statements and documents of an Openslot marketplace against its public log, without trusting its operator. It needs nothing but
 * Node.js 20 or a browser, and no network:
 *
 *     node verify-ledger.mjs statement.json root.json [older-root.json consistency.json]
 *
 * `statement.json` is GET /api/statements/YYYY-MM. `root.json` and `older-root.json` are GET /.well-known/openslot-ledger,
 * today and at an earlier day. `consistency.json` is the same address with ?from=SIZE&to=SIZE. The files can stand in any
 * order, and documents can stand among them: GET /api/documents/NUMBER/proof. Exit 0: every check passed. Exit 1: a check failed. Exit 2: a file cannot be read.
 *
 * The hashes are those of RFC 6962, section 2.1, checked as RFC 9162 describes in 2.1.3.2 and 2.1.4.2.
 */

/**
 * @typedef {{ index: number, size: number, path: string[] }} Proof
 * @typedef {{ at: string, recordedAt: string, kind: string, amount: string, balance: string, leaf: string,
 *   proof: Proof | null }} Line
 * @typedef {{ month: string, currency: string, opening: string, closing: string, lines: Line[], next?: string | null }} Statement
 * @typedef {{ number: string, hash: string, leaf: string, proof: Proof | null }} LoggedDocument
 * @typedef {{ book: string, day: string, size: number, root: string, publicUrl: string, publicKey: string,
 *   signature: string }} Root
 * @typedef {{ from: number, to: number, path: string[] }} Consistency
 * @typedef {{ holds: boolean, text: string }} Finding
 */

/** @param {Uint8Array[]} parts @returns {Promise<string>} SHA-256 in hexadecimal digits */
async function sha256(...parts) {
  const bytes = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return hexOf(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

/** @param {string} text */
const leafHash = (text) => sha256(Uint8Array.of(0), new TextEncoder().encode(text));
/** @param {string} left @param {string} right */
const nodeHash = (left, right) => sha256(Uint8Array.of(1), bytesOf(left), bytesOf(right));

/** @param {Uint8Array} bytes */
const hexOf = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
/** @param {string} hex */
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
/** @param {string} base64 */
const decoded = (base64) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
/** @param {number} n */
const half = (n) => Math.floor(n / 2);

/**
 * Whether a leaf is in the tree with this root.
 * @param {string} leaf @param {Proof} proof @param {string} root
 */
async function isIncluded(leaf, { index, size, path }, root) {
  if (index >= size) return false;
  let { node, last } = { node: index, last: size - 1 };
  let hash = await leafHash(leaf);
  for (const sibling of path) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      hash = await nodeHash(sibling, hash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      hash = await nodeHash(hash, sibling);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash === root;
}

/**
 * Whether the newer tree begins with the older one.
 * @param {{ size: number, root: string }} older @param {{ size: number, root: string }} newer @param {string[]} path
 */
async function isContinued(older, newer, path) {
  if (older.size > newer.size) return false;
  if (older.size === newer.size) return path.length === 0 && older.root === newer.root;
  // Every log continues the empty one.
  if (older.size === 0) return path.length === 0;
  const hashes = Number.isInteger(Math.log2(older.size)) ? [older.root, ...path] : path;
  let { node, last } = { node: older.size - 1, last: newer.size - 1 };
  while (node % 2 === 1) [node, last] = [half(node), half(last)];
  let [oldHash, newHash] = [hashes[0] ?? '', hashes[0] ?? ''];
  for (const hash of hashes.slice(1)) {
    if (last === 0) return false;
    if (node % 2 === 1 || node === last) {
      oldHash = await nodeHash(hash, oldHash);
      newHash = await nodeHash(hash, newHash);
      while (node % 2 === 0 && node !== 0) [node, last] = [half(node), half(last)];
    } else {
      newHash = await nodeHash(newHash, hash);
    }
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && oldHash === older.root && newHash === newer.root;
}

/** @param {Root} signed */
async function isSigned({ publicUrl, book, day, size, root, publicKey, signature }) {
  const text = `openslot-ledger v1\n${publicUrl}\n${book}\n${day}\n${size}\n${root}\n`;
  const key = await crypto.subtle.importKey('raw', decoded(publicKey), 'Ed25519', false, ['verify']);
  return await crypto.subtle.verify('Ed25519', key, decoded(signature), new TextEncoder().encode(text));
}

/** @param {string} amount such as '-12.50' */
const centsOf = (amount) => Number(amount.replace('.', ''));

/**
 * Whether the log and the statement agree about a line. The log counts debits as plus, so its sign is the opposite.
 * @param {Line} line @param {string} currency
 */
function saysTheSame({ at, recordedAt, kind, amount, leaf }, currency) {
  const logged = JSON.parse(leaf);
  return (
    logged.occurredAt === at &&
    logged.recordedAt === recordedAt &&
    logged.kind === kind &&
    logged.currency === currency &&
    logged.amountCents === -centsOf(amount)
  );
}

/** @param {Statement} statement @param {Root[]} roots @returns {Promise<Finding[]>} */
async function checkStatement({ month, currency, opening, closing, lines, next }, roots) {
  /** @type {Finding[]} */
  const findings = [];
  let [cents, proven, young] = [centsOf(opening), 0, 0];
  for (const [at, line] of lines.entries()) {
    const name = `${month}, line ${at + 1} (${line.recordedAt}, ${line.kind}, ${line.amount})`;
    cents += centsOf(line.amount);
    if (cents !== centsOf(line.balance))
      findings.push({ holds: false, text: `${name}: the balance is wrong` });
    if (!saysTheSame(line, currency))
      findings.push({ holds: false, text: `${name}: the log says something else` });
    const { proof } = line;
    if (!proof) {
      young++;
      continue;
    }
    const root = roots.find(({ size }) => size === proof.size);
    if (!root)
      findings.push({
        holds: false,
        text: `${name}: add the signed root of ${proof.size} leaves to check this line`,
      });
    else if (await isIncluded(line.leaf, proof, root.root)) proven++;
    else findings.push({ holds: false, text: `${name}: it is not in the log of ${root.day}` });
  }
  if (!next && cents !== centsOf(closing))
    findings.push({ holds: false, text: `${month}: the lines do not add up to the closing balance` });
  const rest = young > 0 ? `, ${young} younger than the newest root` : '';
  findings.push({ holds: true, text: `${month}: ${proven} of ${lines.length} lines are in the log${rest}` });
  return findings;
}

/** @param {LoggedDocument} document @param {Root[]} roots @returns {Promise<Finding>} */
async function checkDocument({ number, hash, leaf, proof }, roots) {
  if (JSON.parse(leaf).document !== number)
    return { holds: false, text: `${number}: the log says something else` };
  if ((await leafHash(leaf)) !== hash) return { holds: false, text: `${number}: the hash is wrong` };
  if (!proof) return { holds: true, text: `${number}: not in the log of the newest root` };
  const root = roots.find(({ size }) => size === proof.size);
  if (!root)
    return { holds: false, text: `${number}: add the signed root of ${proof.size} leaves to check it` };
  const holds = await isIncluded(leaf, proof, root.root);
  return { holds, text: `${number}: it is ${holds ? '' : 'not '}in the log of ${root.day}` };
}

/** @param {Root[]} roots @param {Consistency[]} proofs @returns {Promise<Finding[]>} */
async function checkRoots(roots, proofs) {
  /** @type {Finding[]} */
  const findings = [];
  for (const root of roots) {
    const holds = await isSigned(root);
    findings.push({
      holds,
      text: `Root of ${root.day}, ${root.size} leaves: ${holds ? 'signed' : 'the signature is wrong'}`,
    });
  }
  if (new Set(roots.map(({ publicKey }) => publicKey)).size > 1)
    findings.push({ holds: false, text: 'The roots are signed with different keys' });
  const ordered = roots.toSorted((one, other) => one.size - other.size);
  for (const [at, newer] of ordered.entries()) {
    const older = ordered[at - 1];
    if (!older) continue;
    const proof = proofs.find(({ from, to }) => from === older.size && to === newer.size);
    const isNeeded = older.size > 0 && older.size !== newer.size;
    const holds = (!isNeeded || proof !== undefined) && (await isContinued(older, newer, proof?.path ?? []));
    const days = `the log of ${newer.day} ${holds ? 'continues' : 'does not continue'} that of ${older.day}`;
    const missing = isNeeded && !proof ? `: add the proof ?from=${older.size}&to=${newer.size}` : '';
    findings.push({ holds, text: `${days[0]?.toUpperCase()}${days.slice(1)}${missing}` });
  }
  return findings;
}

/**
 * Checks the contents of any number of files against each other. The script of the page /verify-ledger contains this
 * file and calls this function.
 * @param {any[]} files @returns {Promise<Finding[]>}
 */
async function verifyLedger(files) {
  const roots = files.filter((file) => 'signature' in file);
  const statements = files.filter((file) => 'lines' in file);
  const proofs = files.filter((file) => 'from' in file && 'path' in file);
  if (roots.length === 0)
    return [{ holds: false, text: 'A signed root is missing: save /.well-known/openslot-ledger' }];
  const findings = await checkRoots(roots, proofs);
  for (const document of files.filter((file) => 'leaf' in file))
    findings.push(await checkDocument(document, roots));
  for (const statement of statements) findings.push(...(await checkStatement(statement, roots)));
  return findings;
}

/** @param {string[]} names */
async function checkFiles(names) {
  const { readFileSync } = await import('node:fs');
  const findings = await verifyLedger(names.map((name) => JSON.parse(readFileSync(name, 'utf8'))));
  for (const { holds, text } of findings) console.log(`${holds ? 'ok     ' : 'WRONG  '}${text}`);
  process.exitCode = findings.every(({ holds }) => holds) ? 0 : 1;
}

if (typeof process !== 'undefined' && process.argv[1]?.endsWith('verify-ledger.mjs')) {
  checkFiles(process.argv.slice(2)).catch((error) => {
    console.error(String(error));
    process.exitCode = 2;
  });
}
