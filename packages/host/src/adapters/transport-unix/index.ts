export { listenUnixSocket, type UnixListenerOptions } from './listen.js';
