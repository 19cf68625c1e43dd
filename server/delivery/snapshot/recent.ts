/**
 * Remembers what was lately asked for, by name: the last `max / 2` names or more, and never more than `max`. Forgets the
 * least recently used half at once, because a map that loses its oldest entry again and again becomes slow.
 */
export function createRecent<Value>(max: number, onForgotten: (value: Value) => void = () => {}) {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();

  function set(name: string, value: Value): void {
    older.delete(name);
    newer.set(name, value);
    if (newer.size < max / 2) return;
    for (const each of older.values()) onForgotten(each);
    older = newer;
    newer = new Map();
  }

  return {
    set,
    /** Asking for a name makes it the most recent one. */
    get: (name: string): Value | undefined => {
      const known = newer.get(name);
      if (known !== undefined) return known;
      const old = older.get(name);
      if (old !== undefined) set(name, old);
      return old;
    },
    delete: (name: string): void => {
      newer.delete(name);
      older.delete(name);
    },
    clear: (): void => {
      for (const each of [newer, older]) for (const value of each.values()) onForgotten(value);
      newer = new Map();
      older = new Map();
    },
    size: (): number => newer.size + older.size,
  };
}
