/** The messages of the forms and the server about an ad's content. */
export const TITLE_MAX = 100;
export const DESCRIPTION_MAX = 500;
export const IMAGE_REQUIRED = 'Please upload an image for your ad';
export const NOTHING_CORRECTED = 'Please change at least one field';
export const NOTHING_CHANGED = 'At least one field must be modified before resubmission';
