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

/** The categories of the marketplace's filter. Websites of other categories appear only under All. [OP-076] */
export const FILTER_CATEGORIES = ['Technology', 'Business', 'Lifestyle', 'Health', 'Finance'] as const;
