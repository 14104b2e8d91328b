export { default } from '@masthead/ui-sdk/build';
