export { part } from '../plain/display';
