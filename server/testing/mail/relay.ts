import { SMTPServer } from 'smtp-server';

export type Relay = {
  /** The address for SMTP_URL. */
  url: string;
  taken: { from: string; to: string; raw: string }[];
  close: () => Promise<void>;
};

/** A real SMTP server that keeps the mails it accepts, from anyone. `refusals` are the codes of its first answers. */
export async function startRelay(port: number, refusals: number[] = []): Promise<Relay> {
  const taken: Relay['taken'] = [];
  const relay = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'anyone' }),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString();
        const responseCode = refusals.shift();
        // Some relays quote the mail that they refuse.
        if (responseCode) return done(Object.assign(new Error(`Refused: ${raw}`), { responseCode }));
        const { mailFrom, rcptTo } = session.envelope;
        taken.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address).join(),
          raw,
        });
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => relay.listen(port, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${port}`,
    taken,
    close: async () => await new Promise<void>((resolve) => relay.close(() => resolve())),
  };
}
