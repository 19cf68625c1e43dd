import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../server/testing/client.ts';

/** Waits for a mail with a code to `address` and returns the code of the newest one. */
export async function codeFromMail(client: Client, address: string): Promise<string> {
  for (;;) {
    const { body } = await client.get(`/dev/mail.json?to=${encodeURIComponent(address)}`);
    const code = /^\s*([0-9A-HJKMNP-TV-Z]{4})\s*$/m.exec(body[0]?.text ?? '')?.[1];
    if (code) return code;
    await pause(50);
  }
}
