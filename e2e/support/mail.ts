import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../server/testing/client.ts';

/** The code of the newest mail to `address`, as its reader would copy it. Waits for the mail. */
export async function codeFromMail(client: Client, address: string): Promise<string> {
  for (;;) {
    const { body } = await client.get(`/dev/mail.json?to=${encodeURIComponent(address)}`);
    const code = /^\s*([0-9A-HJKMNP-TV-Z]{4})\s*$/m.exec(body[0]?.text ?? '')?.[1];
    if (code) return code;
    await pause(50);
  }
}
