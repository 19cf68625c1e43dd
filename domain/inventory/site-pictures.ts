/** The path of a website's picture is `/site-pictures/{sha256}.webp`. */
export const SITE_PICTURES = '/site-pictures/';
