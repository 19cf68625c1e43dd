/** Sums up where the server's thread spends its time under load, by V8's sampling profiler. */
import inspector from 'node:inspector/promises';

/** The share of each group of functions in the time that was not idle. */
export type Profile = { what: string; share: number }[];

const INTERVAL_US = 200;
const ROOT = new URL('../../', import.meta.url).href;

let session: inspector.Session | undefined;

export async function startProfile(): Promise<void> {
  session = new inspector.Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: INTERVAL_US });
  await session.post('Profiler.start');
}

export async function stopProfile(): Promise<Profile> {
  if (!session) throw new Error('No profile was started');
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  session = undefined;

  const groups = new Map(profile.nodes.map((node) => [node.id, groupOf(node.callFrame)]));
  const time = new Map<string, number>();
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const group = groups.get(id);
    if (group) time.set(group, (time.get(group) ?? 0) + (profile.timeDeltas?.[index] ?? 0));
  }
  const total = [...time.values()].reduce((sum, each) => sum + each, 0);
  return [...time]
    .map(([what, each]) => ({ what, share: each / total }))
    .toSorted((a, b) => b.share - a.share);
}

function groupOf({ url, functionName }: inspector.Runtime.CallFrame): string | null {
  if (functionName === '(idle)' || functionName === '(root)') return null;
  if (url.startsWith(ROOT)) {
    const file = url.slice(ROOT.length);
    if (file.startsWith('node_modules/')) return file.split('/').slice(0, 2).join('/');
    return file.startsWith('lab/') ? null : `Openslot: ${file}`;
  }
  // Leave out the profiler itself.
  if (url.startsWith('node:inspector') || url.startsWith('node:internal/inspector')) return null;
  if (/^node:(internal\/)?crypto/.test(url)) return 'Node: crypto';
  if (url.startsWith('node:')) return 'Node: HTTP, streams, timers';
  // Without a source it is native code that JavaScript calls.
  if (functionName.startsWith('write')) return 'system calls: writing to the socket';
  return functionName === '(garbage collector)'
    ? 'garbage collection'
    : 'machine code: parser, strings, hashes, reading';
}
