import { Socket } from 'node:net';
import type { Jobs } from './jobs.ts';
import { readMessages, writeMessage } from './messages.ts';
import { Refusal } from './kinds.ts';
import { RESULT_CHANNEL } from './spawn-decoder.ts';

/** The first message about a job is `began`, when its decoder is loaded. The second one is its result. */
export type Result =
  | { began: true }
  | { value: object }
  | { refused: { status: Refusal['status']; message: string } }
  | { failed: string };

/** The errors of Node and V8 if the memory limit stops an allocation. More often, the process just ends. */
const OUT_OF_MEMORY = /failed to allocate|allocation failed|out of memory/i;

/** Answers one job after the other, until the server closes the input. */
export async function answerJobs(jobs: Jobs): Promise<void> {
  const output = new Socket({ fd: RESULT_CHANNEL, readable: false, writable: true });
  const answer = (result: Result, bytes: Uint8Array = new Uint8Array()) =>
    writeMessage(output, result, bytes);
  for await (const { head, bytes } of readMessages(process.stdin, Infinity)) {
    const { job, options } = head as { job: string; options: never };
    try {
      const run = await jobs[job]!();
      // The message has to leave before the decoder occupies this thread.
      await answer({ began: true });
      const { bytes: file, ...value } = (await run(bytes, options)) as { bytes?: Uint8Array };
      await answer({ value }, file);
    } catch (error) {
      if (OUT_OF_MEMORY.test(String(error))) process.exit(1);
      await answer(
        error instanceof Refusal
          ? { refused: { status: error.status, message: error.message } }
          : { failed: String(error instanceof Error ? error.stack : error) },
      );
    }
  }
  output.end();
}
