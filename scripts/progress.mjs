/** Prints the progress of long steps. Uses only Node's built-in modules. */

const repeatMillis = 15_000;

/**
 * Prints `title`, then the elapsed time every 15 s while `work` runs, and at the end how long it took.
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
    () => console.log(`  still running (${Math.round(Number(seconds()))} s)`),
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
