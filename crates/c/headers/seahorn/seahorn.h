/*@ requires condition != 0;
    assigns \nothing; */
extern void sassert(int condition);
/*@ assigns \nothing;
    ensures condition != 0; */
extern void assume(int condition);
