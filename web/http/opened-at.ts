/** The path at which the browser loaded this document. The address changes as the user goes from page to page. */
export const OPENED_AT = window.location.pathname;
