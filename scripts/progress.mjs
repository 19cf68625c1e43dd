/** Lines that tell a waiting person what is going on. Node built-ins only. */

const repeatMillis = 15_000;

/**
 * Prints `title`, again with the seconds passed while `work` takes long, and how long it took.
 * @template Result
 * @param {string} title
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 */
export async function step(title, work) {
  const from = Date.now();
  const seconds = () => ((Date.now() - from) / 1000).toFixed(1);
  console.log(`${title} …`);
  const reminder = setInterval(
    () => console.log(`  still at it (${Math.round(Number(seconds()))} s)`),
    repeatMillis,
  );
  try {
    const result = await work();
    console.log(`  done in ${seconds()} s`);
    return result;
  } finally {
    clearInterval(reminder);
  }
}
