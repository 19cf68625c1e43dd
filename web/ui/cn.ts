import { clsx, type ClassValue } from 'clsx';

/**
 * Joins class names. A `className` that is passed to a component may only place it (margin, width, grid area). Props
 * such as `variant` choose its looks. So two utilities never conflict and need no merging.
 */
export function cn(...values: ClassValue[]): string {
  return clsx(values);
}
