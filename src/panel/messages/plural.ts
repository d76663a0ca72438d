/** For the words of the panel; the command line and findings count with it too. */
export { plural } from '../../common/plural';
