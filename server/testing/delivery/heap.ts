import v8 from 'node:v8';
import vm from 'node:vm';

/** Collects the garbage, and returns how much of the heap is in use, in bytes. */
export function heapInUse(): number {
  v8.setFlagsFromString('--expose-gc');
  const collect = vm.runInNewContext('gc') as NodeJS.GCFunction;
  // What the first collection frees can hold more.
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}
