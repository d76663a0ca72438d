/** Plurals in the panel; the command line and findings use them too. */
export { plural } from '../../common/plural';
