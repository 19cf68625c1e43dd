export const CATEGORIES = [
  'Technology',
  'Business',
  'Health',
  'Lifestyle',
  'Finance',
  'Education',
  'Entertainment',
  'Sports',
  'Travel',
  'Food',
] as const;

/** The marketplace filters by these; sites of the others stand under All (OP-076). */
export const FILTER_CATEGORIES = ['Technology', 'Business', 'Lifestyle', 'Health', 'Finance'] as const;
