import { createUpload, listMedia, saveMedia } from '#domain/media/contract.ts';
import { type Route, route } from '../http/route.ts';
import { listLibrary, saveToLibrary } from './library.ts';
import { openUpload } from './uploads.ts';

export const routes: Route[] = [
  route(createUpload, 'user', openUpload),
  route(listMedia, 'user', listLibrary),
  route(saveMedia, 'user', saveToLibrary),
];
