import { PROOF_BOXES, PROOF_COLUMNS, PROOF_UNIT } from './wire.ts';

type Side = 'left' | 'right';

/**
 * The positions that a browser reports with a view at this address, as `left,top` of each box in CSS pixels. The tag lays
 * out boxes whose sizes come from the last characters of the address (tag/proof.ts), and this function places the same
 * boxes by the rules of CSS 2.1, 9.5.1: no floating box is higher than an earlier one, and each is as high, and then as
 * far to its side, as it fits. [IVT-09]
 */
export function renderProof(address: string): string {
  return positionsOf(address)
    .map((units) => units * PROOF_UNIT)
    .join();
}

/** Whether `given` has the positions of `renderProof`. A browser rounds positions when its page is zoomed. */
export function isRenderProof(address: string, given: string): boolean {
  const reported = given.split(',');
  const expected = positionsOf(address);
  return (
    reported.length === expected.length &&
    expected.every((units, index) => Math.round(Number(reported[index]) / PROOF_UNIT) === units)
  );
}

/** Returns left and top of each box, in units. All boxes are one unit high, so they lie in rows. */
function positionsOf(address: string): number[] {
  const positions: number[] = [];
  /** The columns that the boxes of each side take in each row. */
  const taken: Record<Side, number[]> = { left: [], right: [] };
  let top = 0;
  for (const character of address.slice(-PROOF_BOXES)) {
    const { side, columns } = boxOf(character.charCodeAt(0));
    while ((taken.left[top] ?? 0) + columns + (taken.right[top] ?? 0) > PROOF_COLUMNS) top += 1;
    const before = taken[side][top] ?? 0;
    positions.push(side === 'left' ? before : PROOF_COLUMNS - before - columns, top);
    taken[side][top] = before + columns;
  }
  return positions;
}

/** The same bits as in tag/proof.ts. */
function boxOf(code: number): { side: Side; columns: number } {
  return { side: code & 32 ? 'right' : 'left', columns: (code & 7) + 1 };
}
