import { createUpload, listMedia, saveMedia } from '#domain/media/contract.ts';
import { type Route, route } from '../http/route.ts';
import { listLibrary, saveToLibrary } from './library.ts';
import { openUpload } from './uploads.ts';

export const routes: Route[] = [
  route(createUpload, { access: 'user', right: 'change' }, openUpload),
  route(listMedia, { access: 'user', right: 'ads' }, listLibrary),
  route(saveMedia, { access: 'user', right: 'change' }, saveToLibrary),
];
