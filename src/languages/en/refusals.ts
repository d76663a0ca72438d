/** The messages of the errors themselves. */
export { ENGLISH as refusals } from '../../common/errors/domain-errors.english';
