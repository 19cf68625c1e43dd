import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Absolute, because PATH may be empty. */
const PROGRAM = '/usr/bin/systemd-notify';

/**
 * Sends a state to the socket that the service manager named in NOTIFY_SOCKET (sd_notify(3)), a path or `@` and an
 * abstract name. Node has no datagrams to such sockets, so systemd's own program sends it. It returns at once. `warn` is
 * called with a sentence if the state was not sent.
 */
export function notifyServiceManager(
  socket: string,
  state: 'READY=1' | 'STOPPING=1',
  warn: (sentence: string) => void,
): void {
  if (!existsSync(PROGRAM))
    return warn(
      `NOTIFY_SOCKET is set, but ${state} is not sent without ${PROGRAM}. Install systemd, or unset NOTIFY_SOCKET and use Type=exec.`,
    );
  const child = spawn(PROGRAM, [state], { env: { NOTIFY_SOCKET: socket }, stdio: 'ignore' });
  const fail = (reason: string) =>
    warn(`${state} was not sent to NOTIFY_SOCKET (${reason}). Check that ${socket} exists and is writable.`);
  child.on('error', (error) => fail(error.message));
  child.on('exit', (code) => code !== 0 && fail(`${PROGRAM} ended with ${code}`));
  // It waits until the manager has read the state, and the stop does not wait for it.
  child.unref();
}
